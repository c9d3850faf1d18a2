"""The pieces of the model that writes: the course's without a file, the reader's with one, under one name each."""

from companion.checks.notebook_11 import check_pre_norm_block
from companion.pieces import ELSEWHERE, PIECES, gather, named, page
from companion.stories.trained import series


def test_without_a_file_all_are_the_courses(capsys):
    pieces = gather()
    assert list(vars(pieces).values()) == list(PIECES.values())
    assert capsys.readouterr().out.endswith(f"0 of {len(PIECES)} pieces are your own\n")


def test_a_piece_in_the_readers_file_is_taken_and_counted(tmp_path, monkeypatch, capsys):
    file = tmp_path / "mine.py"
    file.write_text("def merge_heads(context):\n    return context.transpose(-3, -2).flatten(-2)\n")
    monkeypatch.setenv("COURSE_MINE", str(file))
    assert gather().merge_heads.__module__ == "mine"
    assert capsys.readouterr().out.endswith(f"1 of {len(PIECES)} pieces are your own\n")


def test_weights_take_the_names_of_the_readers_block():
    writer = series()[0][0]
    state = writer.state_dict()
    assert named(state, writer) is state

    class Block:
        def state_dict(self):
            return {"blocks.0.norm1.weight": None, "blocks.0.norm2.weight": None}

    names = named(state, Block())
    assert len(names) == len(state) and "blocks.1.norm2.bias" in names and not any("after" in name for name in names)
    assert check_pre_norm_block in PIECES


def test_a_page_keeps_its_text_out_of_the_stored_notebook(monkeypatch):
    shown = []
    monkeypatch.setattr("companion.timing.display", lambda data, raw: shown.append(data))
    page("Ida gave <him> the kite.")
    assert shown[0]["text/plain"] == ELSEWHERE and "Ida" not in str(shown[0])
