"""Right and wrong answers to the exercises in notebook 14 (inside a real model)."""

import torch

from companion.checks.notebook_14 import check_cut_word, check_my_cut, check_my_pool, cut_off
from companion.pretrained.minilm import mean_pool
from companion.pretrained.wordpiece import longest_match

UNKNOWN = ["[UNK]"]


def by_recursion(word, vocabulary, sign=""):
    for end in range(len(word), 0, -1):
        rest = by_recursion(word[end:], vocabulary, "##")
        if sign + word[:end] in vocabulary:
            return [sign + word[:end], *rest] if rest != UNKNOWN else UNKNOWN
    return UNKNOWN if word else []


def by_shrinking(word, vocabulary):
    pieces, rest = [], word
    while rest:
        piece = rest if not pieces else "##" + rest
        while piece not in vocabulary:
            piece = piece[:-1]
            if piece in ("", "##"):
                return UNKNOWN
        pieces.append(piece)
        rest = rest[len(piece) - 2 * (len(pieces) > 1) :]
    return pieces


def greedy(
    ends=lambda start, size: range(size, start, -1), sign=lambda start: "##" * (start > 0), lost="word", extra=0
):
    """Compose the cut from its decisions, any of which may be a wrong one."""

    def cut_word(word, vocabulary):
        pieces, start = [], 0
        while start < len(word):
            for end in ends(start, len(word)):
                piece = "##" * (start > 0) + word[start:end]
                if piece in vocabulary:
                    pieces.append(piece)
                    start = end + extra * (start > 0)
                    break
            else:
                if lost == "letter":
                    start += 1
                    continue
                return {"word": UNKNOWN, "rest": pieces + UNKNOWN, "nothing": pieces}[lost]
        return pieces

    return cut_word


def without_marks(word, vocabulary):
    return [piece.removeprefix("##") for piece in longest_match(word, vocabulary)]


def all_marked(word, vocabulary):
    return [piece if piece == "[UNK]" else "##" + piece.removeprefix("##") for piece in longest_match(word, vocabulary)]


def looked_up_bare(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        end = next((end for end in range(len(word), start, -1) if word[start:end] in vocabulary), None)
        if end is None:
            return UNKNOWN
        pieces.append("##" * (start > 0) + word[start:end])
        start = end
    return pieces


def by_loop(stream, real):
    return torch.stack([rows[keep].mean(dim=0) for rows, keep in zip(stream, real)])


def by_product(stream, real):
    shares = real.float() / real.sum(dim=1, keepdim=True)
    return (shares[:, None] @ stream).squeeze(1)


def by_nan(stream, real):
    return stream.masked_fill(~real[..., None], torch.nan).nanmean(dim=1)


def cut_by_loop(real, places):
    mask = real[:, None, :].repeat(1, real.shape[1], 1)
    for sentence, place in enumerate(places):
        mask[sentence, place] = False
        mask[sentence, place, place] = True
    return mask


def cut_by_index(real, places):
    mask = real[:, None, :].expand(-1, real.shape[1], -1).clone()
    rows = torch.arange(len(real))
    mask[rows, places] = torch.nn.functional.one_hot(places, real.shape[1]).bool()
    return mask


def cut_by_where(real, places):
    own = torch.arange(real.shape[1]) == places[:, None]
    return torch.where(own[:, :, None], own[:, None, :], real[:, None, :])


def cutting(change):
    """Compose a mask that begins as every token reading all real ones, and is changed sentence by sentence."""

    def my_cut(real, places):
        mask = real[:, None, :].repeat(1, real.shape[1], 1)
        for sentence, place in enumerate(places.tolist()):
            change(mask[sentence], place)
        return mask

    return my_cut


def nothing_at_all(mask, place):
    mask[place] = False


def all_but_itself(mask, place):
    mask[place, place] = False


def the_column(mask, place):
    mask[:, place] = False
    mask[place, place] = True


def row_and_column(mask, place):
    mask[place], mask[:, place] = False, False
    mask[place, place] = True


RIGHT = {
    check_cut_word: [longest_match, by_recursion, by_shrinking],
    check_my_pool: [mean_pool, by_loop, by_product, by_nan],
    check_my_cut: [cut_off, cut_by_loop, cut_by_index, cut_by_where],
}
WRONG = {
    check_cut_word: [
        (
            greedy(ends=lambda start, size: range(start + 1, size + 1)),
            "'minute' is cut into ['m', '##i', '##n', '##u', '##t', '##e']: the shortest piece is taken",
        ),
        (without_marks, "'minut' is cut into ['min', 'ut']: behind the first, a piece begins with ##"),
        (all_marked, "'minute' is cut into ['##minute']: ## stands before the first piece, too"),
        (looked_up_bare, "'minut' is cut into ['[UNK]']: a later piece is looked up without its ##"),
        (greedy(lost="rest"), "'mmi' is cut into ['m', '[UNK]']: one part that fits no piece"),
        (greedy(lost="nothing"), "'mmi' is cut into ['m']: what fits no piece is left out"),
        (greedy(lost="letter"), "'mmi' is cut into ['m', '##i']: a letter that fits no piece"),
        (greedy(extra=2), "'minuti' is cut into ['min', '##ut']: ## is counted as two letters"),
        (lambda word, vocabulary: longest_match(word, vocabulary)[:1], "'minut' is cut into ['min']: only the first"),
        (
            greedy(ends=lambda start, size: range(size - 1, start, -1)),
            "'minute' is cut into ['[UNK]']: the whole of what is left is never tried",
        ),
        (lambda word, vocabulary: None, "cut_word('minute', ...) gives None; did you forget `return`?"),
        (lambda word, vocabulary: " ".join(longest_match(word, vocabulary)), "cut_word('minute', ...) gives a str"),
    ],
    check_my_pool: [
        (lambda stream, real: stream.mean(dim=1), "the padding is averaged, too"),
        (lambda stream, real: (stream * real[..., None]).mean(dim=1), "the padding is set to zero but still counted"),
        (lambda stream, real: (stream * real[..., None]).sum(dim=1), "the sums are not divided"),
        (lambda stream, real: mean_pool(stream[:, 1:], real[:, 1:]), "[CLS] is left out"),
        (lambda stream, real: mean_pool(stream, ~real), "the padding is averaged, and the real tokens are left out"),
        (lambda stream, real: stream.mean(dim=2), "the mean runs over the features"),
        (lambda stream, real: stream[:, 0], "this is the first token, [CLS], alone"),
        (
            lambda stream, real: (stream * real[..., None]).sum(dim=1) / real.sum(),
            "the numbers of all sentences are ad",
        ),
        (
            lambda stream, real: (stream * real[:, None]).sum(dim=1) / real.sum(dim=1, keepdim=True),
            "real meets the features",
        ),
        (
            lambda stream, real: stream[real].mean(dim=0),
            "my_pool for a batch gives shape (5,), but (3, 5) was expected",
        ),
        (lambda stream, real: None, "my_pool for a batch gives None; did you forget `return`?"),
    ],
    check_my_cut: [
        (cutting(lambda mask, place: None), "nothing is cut"),
        (cutting(the_column), "the column is cut: the others"),
        (cutting(row_and_column), "the column is cut as well"),
        (cutting(nothing_at_all), "the token reads nothing, not even itself"),
        (cutting(all_but_itself), "the token reads all but itself"),
        (lambda real, places: torch.eye(6, dtype=torch.bool).repeat(3, 1, 1), "every token reads itself alone"),
        (lambda real, places: cut_off(real, places[:1].expand(3)), "the first sentence's place is taken for all"),
        (lambda real, places: cut_off(torch.ones_like(real), places), "the padding is read"),
        (lambda real, places: ~cut_off(real, places), "the mask is turned round"),
        (lambda real, places: cut_off(real, places) & real[:, :, None], "the rows of the padding are cut, too"),
        (lambda real, places: cut_off(real, places).float(), "my_cut has dtype torch.float32; a mask is boolean"),
        (lambda real, places: None, "my_cut gives None; did you forget `return`?"),
    ],
}
