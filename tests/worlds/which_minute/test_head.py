import json
import re

import pytest
import torch
from torch import nn

from companion.worlds import stored
from companion.worlds.which_minute import two_clues
from companion.worlds.which_minute.head import STORED, WhichMinute, train_in_steps, trained, untrained
from companion.worlds.which_minute.sentences import MEANINGS, encode, examples, sentences
from reading import NOTEBOOKS, prose_cells, read
from utils.attention import SelfAttention, padding_mask

TEXTS, TRUTH = sentences()
INPUTS = encode(TEXTS)


@torch.no_grad()
def wrong(head):
    """The sentences for which a head gives a wrong answer."""
    answers = head(*INPUTS)[0].argmax(dim=1)
    return [" ".join(words) for words, right in zip(TEXTS, answers == TRUTH) if not right]


def test_training_again_gives_the_stored_head_right_everywhere():
    head = untrained()
    losses = [loss for _, loss in train_in_steps(head, INPUTS, TRUTH)]
    assert wrong(head) == []
    assert losses[0] > 1 and losses[-1] < 0.02
    for name, tensor in trained().state_dict().items():
        torch.testing.assert_close(head.state_dict()[name], tensor, atol=0.01, rtol=0)


def test_the_loop_below_a_solution_of_notebook_04_finds_its_numbers(capsys):
    (cell,) = [cell for cell in prose_cells(read(NOTEBOOKS[4])) if "# from the loop below" in cell.source]
    solution, loop = re.findall("```python\n(.*?)```", cell.source, flags=re.DOTALL)
    exec(loop, {"answer_to": lambda words: MEANINGS[trained()(*encode([words]))[0].argmax()]})
    found = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert dict(re.findall(r'"(\w+)": (\d+)', solution)) == found


def test_what_is_held_back_is_in_no_training():
    for parts in (examples(padding_mask), examples(padding_mask, leak=True), two_clues.examples()):
        learned, asked = ({*map(tuple, ids.tolist())} for ids, *_ in parts)
        assert len(asked) in (200, 400) and not learned & asked


def test_the_head_is_built_with_the_readers_class():
    class Mine(SelfAttention):
        pass

    assert isinstance(WhichMinute(attend=Mine).attend, Mine) and isinstance(untrained(attend=Mine).attend, Mine)


def test_an_untrained_head_leaves_the_readers_seed_alone():
    torch.manual_seed(5)
    drawn = torch.rand(1)
    torch.manual_seed(5)
    first, second = untrained(), untrained()
    assert torch.equal(torch.rand(1), drawn)
    assert all(map(torch.equal, first.state_dict().values(), second.state_dict().values()))


def test_the_order_in_which_layers_are_made_changes_no_number():
    class Backwards(SelfAttention):
        def __init__(self, d_in, d_out):
            super(SelfAttention, self).__init__()
            for name in ("W_value", "W_key", "W_query"):
                setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    started, ours = untrained(attend=Backwards).state_dict(), untrained().state_dict()
    assert all(torch.equal(started[name], numbers) for name, numbers in ours.items())


def test_a_changed_file_is_refused(tmp_path):
    record = json.loads(STORED.read_text(encoding="utf-8"))
    record["weights"]["answer.bias"][0] += 0.0001
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ValueError, match="changed.json does not hold what was stored; get this file again"):
        stored.read(lambda record: WhichMinute(), changed)
