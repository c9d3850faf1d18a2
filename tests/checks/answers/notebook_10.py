"""Right and wrong answers to the exercises in notebook 10 (order)."""

import torch

from companion.checks.notebook_10 import check_sees_order, order_seen
from companion.checks.notebook_10_positions import check_penalties, check_turn, check_waves
from utils.attention import causal_mask
from utils.positions import alibi, rotate, sinusoidal


def neighbours(size):
    """Return the orders in which two neighbours change places."""
    return [[*range(i), i + 1, i, *range(i + 2, size)] for i in range(size - 1)]


def judged(orders=neighbours, along=lambda outputs, order: outputs[:, order], seen=lambda gap: gap.abs().max() > 1e-5):
    """Compose the test from its decisions, any of which may be a wrong one."""

    def sees_order(read, inputs):
        before = read(inputs)
        return any(bool(seen(read(inputs[:, order]) - along(before, order))) for order in orders(inputs.shape[1]))

    return sees_order


def in_place(read, inputs):
    """Exchange two neighbours in a copy, and the outputs back."""
    for i in range(inputs.shape[1] - 1):
        changed = inputs.clone()
        changed[:, [i, i + 1]] = inputs[:, [i + 1, i]]
        outputs = read(changed)
        outputs[:, [i, i + 1]] = outputs[:, [i + 1, i]]
        if not torch.allclose(outputs, read(inputs), rtol=0, atol=1e-5):
            return True
    return False


def each_pair(size):
    """Return the orders in which any two tokens change places."""
    orders = []
    for i in range(size):
        for j in range(i):
            orders.append(list(range(size)))
            orders[-1][i], orders[-1][j] = j, i
    return orders


def of_sentences(read, inputs):
    order = torch.arange(len(inputs)).flip(0)
    return bool((read(inputs[order]) - read(inputs)[order]).abs().max() > 1e-5)


def along_sentences(read, inputs):
    """Take the order of the tokens for one of the sentences, of which there are fewer."""
    return any(bool((read(inputs[order]) - read(inputs)[order] > 1e-5).any()) for order in neighbours(inputs.shape[1]))


def angled(exponent=2, first=0):
    """Return the angles of places and pairs, with a decision or two that may be wrong."""

    def angles(num_tokens, size):
        places = torch.arange(first, first + num_tokens).double()
        return places[:, None] / 10000 ** (exponent * torch.arange(size // 2) / size)

    return angles


ANGLES = angled()


def waved(angles=ANGLES, one=torch.sin, other=torch.cos, join=lambda parts: torch.stack(parts, -1).flatten(-2)):
    return lambda num_tokens, size: join([one(angles(num_tokens, size)), other(angles(num_tokens, size))]).float()


def waves_by_loop(num_tokens, d_model):
    rows = torch.zeros(num_tokens, d_model)
    for i in range(0, d_model, 2):
        rows[:, i] = (torch.arange(num_tokens) / 10000 ** (i / d_model)).sin()
        rows[:, i + 1] = (torch.arange(num_tokens) / 10000 ** (i / d_model)).cos()
    return rows


def unpaired_waves(num_tokens, d_model):
    angles = torch.arange(num_tokens)[:, None] / 10000 ** (torch.arange(d_model) / d_model)
    return torch.where(torch.arange(d_model) % 2 == 0, angles.sin(), angles.cos())


def turning(angles=ANGLES, turned=lambda x, y, c, s: (x * c - y * s, x * s + y * c)):
    """Compose the turn from its angles and its formula."""

    def turn(features):
        first, second = features.chunk(2, dim=-1)
        angle = angles(*features.shape[-2:]).float()
        return torch.cat(turned(first, second, angle.cos(), angle.sin()), dim=-1)

    return turn


def overwritten(features):
    first, second = features.chunk(2, dim=-1)
    angle = ANGLES(*features.shape[-2:]).float()
    first = first * angle.cos() - second * angle.sin()
    return torch.cat([first, first * angle.sin() + second * angle.cos()], dim=-1)


def along(axis):
    """Take the place from another axis, where there is one."""

    def turn(features):
        return rotate(features.transpose(axis, -2)).transpose(axis, -2) if features.ndim > 2 else rotate(features)

    return turn


def complex_turn(features):
    """Read each pair as one complex number."""
    first, second = features.chunk(2, dim=-1)
    angle = ANGLES(*features.shape[-2:]).float()
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], dim=-1)


def half_rotated(features):
    """As much code has it: cosines and sines repeated, and the second half before the first, negated."""
    first, second = features.chunk(2, dim=-1)
    angle = ANGLES(*features.shape[-2:]).repeat(1, 2).float()
    return features * angle.cos() + torch.cat([-second, first], dim=-1) * angle.sin()


def coned(slopes=lambda heads, count: 2.0 ** (-8 * heads / count), distance=lambda gap: gap.abs(), sign=-1):
    """Compose the penalties from their slopes and distances."""

    def penalties(num_heads, num_tokens):
        places = torch.arange(num_tokens)
        steps = slopes(torch.arange(1, num_heads + 1), num_heads)
        return sign * steps[:, None, None] * distance(places[:, None] - places)

    return penalties


def by_loops(num_heads, num_tokens):
    return torch.tensor(
        [
            [[-(2 ** (-8 * (h + 1) / num_heads)) * abs(i - j) for j in range(num_tokens)] for i in range(num_tokens)]
            for h in range(num_heads)
        ]
    )


RIGHT = {
    check_sees_order: [order_seen, judged(), in_place, judged(orders=each_pair)],
    check_waves: [sinusoidal, waved(), waves_by_loop],
    check_turn: [rotate, turning(), complex_turn, half_rotated],
    check_penalties: [alibi, coned(), by_loops],
}
WRONG = {
    check_sees_order: [
        (
            judged(along=lambda outputs, order: outputs),
            "for a module that doubles each token, sees_order gives True: the outputs move along",
        ),
        (of_sentences, "for the number of the sentence in place of the token's, sees_order gives True"),
        (
            judged(seen=lambda gap: gap.abs().max() > 0),
            "for attention without positions, sees_order gives True: the last",
        ),
        (lambda *given: not order_seen(*given), "True and False are exchanged"),
        (lambda *given: True, "for a module that doubles each token, sees_order gives True: the outputs move along"),
        (lambda *given: False, "for positions added to the tokens, sees_order gives False: compare read(inputs"),
        (along_sentences, "the tokens are axis 1, so a new order stands behind a colon: [:, order] (index "),
        (judged(seen=lambda gap: gap.max() > 1e-5), "for numbers that only sink, sees_order gives False: a gap below"),
        (judged(orders=lambda size: [[*range(size)][::-1]]), "for a penalty for distance, sees_order gives False"),
        (judged(orders=lambda size: [[*range(1, size), 0]]), "for a circle, in which each token takes something"),
        (judged(seen=lambda gap: gap.abs().max() > 1e-2), "for positions of a thousandth, sees_order gives False"),
        (judged(orders=lambda size: neighbours(size)[1:]), "for the first place alone, sees_order gives False: only"),
        (judged(orders=lambda size: neighbours(size)[:-1]), "for the last place alone, sees_order gives False: only"),
        (judged(seen=lambda gap: gap[0].abs().max() > 1e-5), "for a last sentence with positions"),
        (lambda *given: torch.tensor(order_seen(*given)), "sees_order gives a Tensor, but a bool was expected"),
        (lambda *given: None, "sees_order gives None; did you forget `return`?"),
    ],
    check_waves: [
        (waved(one=torch.cos, other=torch.sin), "sine and cosine are exchanged"),
        (waved(join=lambda parts: torch.cat(parts, -1)), "all sines stand before all cosines"),
        (unpaired_waves, "each feature has an angle of its own"),
        (waved(other=torch.sin), "the sine stands twice"),
        (waved(one=lambda angle: angle, other=lambda angle: angle), "these are the angles"),
        (waved(angled(exponent=1)), "pair i is slower by 10000 ** (2 * i / size): the 2 is missing"),
        (waved(angled(exponent=0)), "all pairs turn alike"),
        (waved(angled(exponent=4)), "the exponent of pair i is 2 * i / size, where size counts all features"),
        (waved(angled(exponent=-2)), "the next pair is slower, not faster: divide"),
        (waved(angled(first=1)), "the places count from 0"),
        (waved(lambda *sizes: ANGLES(*sizes).deg2rad()), "sin and cos take radians"),
        (lambda *sizes: sinusoidal(*sizes).T, "rows are places, columns are features"),
        (lambda *sizes: None, "waves(7, 4) gives None; did you forget `return`?"),
    ],
    check_turn: [
        (lambda features: rotate(features, pairing="neighbours"), "neighbours are paired, the other convention"),
        (turning(turned=lambda x, y, c, s: (x * c + y * s, -x * s + y * c)), "the turn goes backwards"),
        (turning(turned=lambda x, y, c, s: (x * c + y * s, x * s + y * c)), "a reflection"),
        (turning(turned=lambda x, y, c, s: (y * c - x * s, y * s + x * c)), "second · cos − first · sin"),
        (lambda features: features, "these are the features as they were"),
        (
            lambda features: torch.stack(rotate(features).chunk(2, dim=-1), -1).flatten(-2),
            "the halves are put back side by side, pair by pair",
        ),
        (overwritten, "the second line needs first as it was"),
        (turning(angled(exponent=4)), "the exponent of pair i is 2 * i / size, where size counts all features"),
        (turning(angled(exponent=-2)), "the next pair is slower, not faster: divide"),
        (turning(angled(first=1)), "the places count from 0"),
        (turning(angled(exponent=1)), "pair i is slower by 10000 ** (2 * i / size): the 2 is missing"),
        (turning(angled(exponent=0)), "all pairs turn alike"),
        (
            lambda features: (
                rotate(features.transpose(0, -2)).transpose(0, -2) if features.ndim > 2 else rotate(features)
            ),
            "the angle is taken from the batch",
        ),
        (along(-3), "the angle is taken from another axis"),
        (lambda features: None, "turn, for features (7, 4), gives None; did you forget `return`?"),
    ],
    check_penalties: [
        (coned(sign=1), "the sign is turned"),
        (coned(slopes=lambda heads, count: 2.0**-heads), "the slopes are those of eight heads"),
        (coned(slopes=lambda heads, count: 2.0 ** (-8 * (heads - 1) / count)), "the heads count from 1"),
        (coned(slopes=lambda heads, count: 2.0 ** (-8 / count) + 0 * heads), "all heads have one slope"),
        (lambda *sizes: alibi(*sizes).flip(0), "the slopes are in the opposite order"),
        (coned(distance=lambda gap: gap), "the distance has a sign"),
        (
            lambda heads, count: alibi(heads, count).masked_fill(~causal_mask(count), -torch.inf),
            "what comes later is hidden: leave that to the causal mask",
        ),
        (coned(distance=torch.square), "the distance is squared"),
        (coned(slopes=lambda heads, count: 1.0 + 0 * heads), "the slopes are missing"),
        (lambda *sizes: alibi(*sizes).permute(1, 2, 0), "the axes are (heads, query, key)"),
        (lambda *sizes: None, "penalties(8, 5) gives None; did you forget `return`?"),
    ],
}
