"""The pages for all students in one zip file, named so that Moodle or Canvas gives each to the right student."""

import io
import zipfile

from nbformat import v4, writes

from classroom import names, tables

PAGE = "feedback.html"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}  # or Jupyter would ask for one


def give_back(folder):
    """Return (the content of a zip file, what it holds in words, warnings).

    folder: the one with grades.csv. Moodle finds a student by the name of a folder, as it named it when it exported the
    hand-ins (mod/assign/feedback/file/importziplib.php). Canvas finds a student by the two numbers in the name of a
    file that was handed in, and shows the new file under the name that the student gave that one
    (`infer_comment_context_from_filename` in its app/models/abstract_assignment.rb): so a notebook gets a notebook.
    """
    content, given, by_hand, unfinished = io.BytesIO(), 0, [], []
    table = tables.read(folder / "grades.csv")
    total = next(title for title in table.columns() if title.startswith("total"))
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for _, row in table.records("student", "handed in as", "feedback"):
            label = names.label(row["handed in as"])
            if label.number:
                page = (folder / row["feedback"]).read_text(encoding="utf-8")
                archive.writestr(*(_for_canvas if label.platform == "canvas" else _for_moodle)(label, page))
                given += 1
                unfinished += [row["student"]] * (not row[total])
            elif row["handed in as"]:
                by_hand.append(row["feedback"])
    warnings = [f"not named by Moodle or Canvas, to be sent by hand: {'; '.join(by_hand)}"] if by_hand else []
    warnings += [f"no total yet, and the page says so: {'; '.join(unfinished)}"] if unfinished else []
    return content.getvalue(), f"{given} pages", warnings


def _for_moodle(label, page):
    """A hand-in in a folder, or, where Moodle was asked for none, a file whose name begins as that of the folder."""
    return f"{label.entry.removesuffix(label.file)}/{PAGE}", page


def _for_canvas(label, page):
    if label.file.casefold().endswith(".zip"):
        inside = io.BytesIO()
        with zipfile.ZipFile(inside, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(PAGE, page)
        return label.entry, inside.getvalue()
    if label.file.casefold().endswith(".ipynb"):
        output = v4.new_output("display_data", data={"text/html": page})
        cell = v4.new_code_cell("# What your teacher gives back", outputs=[output])
        return label.entry, writes(v4.new_notebook(cells=[cell], metadata=KERNEL))
    return label.entry, page
