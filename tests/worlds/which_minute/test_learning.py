import pytest
import torch

from companion.worlds.which_minute.head import untrained
from companion.worlds.which_minute.learning import Film
from companion.worlds.which_minute.sentences import encode, examples
from utils.attention import padding_mask


def test_a_film_keeps_steps_and_leaves_the_training_as_it_is():
    head, alone = untrained(), untrained()
    _, (ids, padding, positions, meanings) = examples(padding_mask)
    film, kept = Film(head), []
    for each in (alone, head):
        optimizer = torch.optim.Adam(each.parameters(), lr=0.02)
        for _ in range(120):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(each(ids, padding, positions)[0], meanings).backward()
            optimizer.step()
        kept.append(each.state_dict())
    assert all(torch.equal(part, kept[1][name]) for name, part in kept[0].items())
    given = film.show().data
    assert film.show().data == given
    assert given["steps"] == [*range(0, 100, 5), 120] and given["meanings"] == [0, 1, 2] * 2
    assert [words[4] for words in given["sentences"]] == ["pause", "crack", "gap", "break", "hole", "difference"]
    last = head(*encode(given["sentences"]))
    assert torch.allclose(torch.tensor(given["contexts"][-1]), last[2], atol=0.0051)
    loss = torch.nn.functional.cross_entropy(last[0], torch.tensor(given["meanings"])).item()
    assert given["losses"][-1] == pytest.approx(loss, abs=1e-3) and given["losses"][0] > given["losses"][-1]
