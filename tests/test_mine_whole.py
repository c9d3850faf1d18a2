"""A reader who solves every exercise of notebooks 01 to 09 has a file that plain Python imports, equal to PyTorch's."""

import ast
import importlib.util
import os
import subprocess
import sys
from inspect import signature

import pytest
import torch
import torch.nn.functional as F
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from torch import nn

from companion.mine_layout import sections
from companion.mine_sources import used
from reading import NOTEBOOKS, code_cells, defined, is_stub, read, solutions

pytestmark = pytest.mark.slow

EXPECTED = {  # the pieces of attention, with what they are called with, in the course's order
    "my_scores": "(query, key)",
    "softmax": "(scores)",
    "masked_softmax": "(scores, mask=None)",
    "my_attention": "(query, key, value, mask=None)",
    "causal_mask": "(num_tokens)",
    "padding_mask": "(lengths, num_tokens)",
    "OneHead": "(d_in, d_out)",
    "split_heads": "(features, num_heads)",
    "merge_heads": "(context)",
    "ManyHeads": "(d_model, num_heads)",
    "CrossAttention": "(d_model, d_memory, num_heads)",
}
# True once all of EXPECTED are exercises: then a missing one fails, and so does a solution that needs other cells.
STRICT = False


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Solve all exercises, a kernel for each notebook; return the file and {exercise: what its check shows}."""
    file, shown = tmp_path_factory.mktemp("reader") / "mine.py", {}
    for path in NOTEBOOKS[1:10]:
        notebook = read(path)
        setup, *cells = code_cells(notebook)
        sources, names, answers = [setup.source], [], solutions(notebook)
        for stub, check in zip(cells, cells[1:]):
            if is_stub(stub):
                names.append(defined(stub.source))
                sources += [answers[names[-1]], check.source]
        run = new_notebook(cells=[new_code_cell(source) for source in sources])
        folder = {"metadata": {"path": str(file.parent)}}
        client = NotebookClient(run, timeout=60, resources=folder, allow_errors=not STRICT)
        client.execute(env=os.environ | {"COURSE_MINE": str(file)})
        for name, check in zip(names, run.cells[2::2]):
            texts = [each.get("text") or each.get("data", {}).get("text/plain", "") for each in check.outputs]
            shown[name] = "\n".join(texts)
    return file, shown


@pytest.fixture(scope="module")
def whole(solved):
    """Return the reader's file as a module."""
    description = importlib.util.spec_from_file_location("mine", solved[0])
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    return module


@pytest.fixture
def piece(whole):
    """Return a function that gives a piece by its name."""
    torch.manual_seed(0)

    def named(name):
        found = getattr(whole, name, None)
        there = found is not None and str(signature(found)) == EXPECTED[name]
        if not there and not STRICT:
            pytest.skip(f"{name} is no exercise yet")
        assert there, f"{name}{EXPECTED[name]} is missing"
        return found

    return named


def multi_head(module, d_model, d_memory, heads):
    """Return PyTorch's module with the weights of the reader's."""
    if not hasattr(module, "W_query") and not STRICT:
        pytest.skip("this module is written anew")
    theirs = nn.MultiheadAttention(d_model, heads, kdim=d_memory, vdim=d_memory, batch_first=True)
    layers = module.W_query, module.W_key, module.W_value
    with torch.no_grad():
        if theirs.in_proj_weight is None:
            for name, layer in zip(("q_proj_weight", "k_proj_weight", "v_proj_weight"), layers):
                getattr(theirs, name).copy_(layer.weight)
        else:
            theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([bias_of(layer) for layer in layers]))
        theirs.out_proj.weight.copy_(module.W_output.weight)
        theirs.out_proj.bias.copy_(bias_of(module.W_output))
    return theirs


def bias_of(layer):
    return torch.zeros(len(layer.weight)) if layer.bias is None else layer.bias


def output_of(given):
    return given[0] if isinstance(given, tuple) else given


def close(given, wanted):
    return given.shape == wanted.shape and torch.allclose(given, wanted, atol=1e-6)


def random(*shapes):
    return [torch.randn(shape) for shape in shapes]


def test_every_correct_answer_is_kept_and_in_the_courses_order(solved):
    file, shown = solved
    correct = [name for name, text in shown.items() if text.startswith("correct")]
    kept = sections(file.read_text(encoding="utf-8"))
    pieces = [name for name, section in kept.items() if section.number and not section.owner]
    refused = [text for text in shown.values() if "is not kept" in text]
    assert pieces == [name for name in correct if "kept in mine.py" in shown[name] and name in kept]
    assert [section.number for section in kept.values()] == sorted(section.number for section in kept.values())
    if STRICT:
        assert correct == list(shown) and refused == [] and [name for name in pieces if name in EXPECTED] == [*EXPECTED]


def test_plain_python_imports_it_from_its_folder(solved):
    run = subprocess.run([sys.executable, "-c", "import mine"], cwd=solved[0].parent, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_it_imports_nothing_that_it_does_not_use(solved):
    text = solved[0].read_text(encoding="utf-8")
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [alias.asname or alias.name for node in imports for alias in node.names]
    assert len(set(names)) == len(names) and set(names) <= used(text)


def test_its_scores_and_softmax_make_pytorchs_context(piece):
    query, key, value = random((2, 3, 8), (2, 5, 8), (2, 5, 4))
    weights = piece("softmax")(piece("my_scores")(query, key))
    assert close(weights @ value, F.scaled_dot_product_attention(query, key, value))
    large = 1000 * torch.randn(4, 5)
    assert close(piece("softmax")(large), torch.softmax(large, dim=-1))


def test_its_masked_softmax_hides_as_pytorch_does(piece):
    scores, mask = torch.randn(2, 3, 5), torch.rand(3, 5) < 0.5
    mask[1], mask[0] = False, True
    wanted = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1).nan_to_num()
    assert close(piece("masked_softmax")(scores, mask), wanted)
    assert close(piece("masked_softmax")(scores), torch.softmax(scores, dim=-1))


def test_its_attention_is_pytorchs(piece):
    query, key, value = random((2, 3, 8), (2, 5, 8), (2, 5, 4))
    mask = torch.rand(3, 5) < 0.5
    mask[1], mask[0] = False, True
    for given in ([], [mask]):
        context, weights = piece("my_attention")(query, key, value, *given)
        assert close(context, F.scaled_dot_product_attention(query, key, value, *given))
        assert close(weights, F.scaled_dot_product_attention(query, key, torch.eye(5).expand(2, 5, 5), *given))


def test_its_masks_hide_the_future_and_the_padding(piece):
    query, key, value = random((2, 5, 8), (2, 5, 8), (2, 5, 4))
    context, _ = piece("my_attention")(query, key, value, piece("causal_mask")(5))
    assert close(context, F.scaled_dot_product_attention(query, key, value, is_causal=True))
    context, _ = piece("my_attention")(query, key, value, piece("padding_mask")(torch.tensor([5, 3]), 5))
    for sentence, length in enumerate((5, 3)):
        alone = query[sentence], key[sentence, :length], value[sentence, :length]
        assert close(context[sentence], F.scaled_dot_product_attention(*alone))


def test_its_head_is_pytorchs_attention_behind_three_layers(piece):
    head, inputs, mask = piece("OneHead")(6, 4), torch.randn(2, 5, 6), torch.ones(5, 5).tril() == 1
    context, _ = head(inputs, mask)
    layers = head.W_query, head.W_key, head.W_value
    assert close(context, F.scaled_dot_product_attention(*(layer(inputs) for layer in layers), mask))


def test_its_heads_are_split_and_merged_as_pytorch_does(piece):
    features = torch.randn(2, 5, 12)
    assert close(piece("split_heads")(features, 3), features.view(2, 5, 3, 4).transpose(1, 2))
    assert close(piece("merge_heads")(features.view(2, 5, 3, 4).transpose(1, 2)), features)


def test_its_many_heads_are_pytorchs_module(piece):
    module, inputs, mask = piece("ManyHeads")(12, 3), torch.randn(2, 5, 12), torch.ones(5, 5).tril() == 1
    theirs = multi_head(module, 12, 12, 3)
    assert close(output_of(module(inputs)), theirs(inputs, inputs, inputs)[0])
    assert close(output_of(module(inputs, mask)), theirs(inputs, inputs, inputs, attn_mask=~mask)[0])


def test_its_cross_attention_is_pytorchs_module(piece):
    module, inputs, memory = piece("CrossAttention")(12, 7, 3), *random((2, 5, 12), (2, 4, 7))
    assert close(output_of(module(inputs, memory)), multi_head(module, 12, 7, 3)(inputs, memory, memory)[0])
