"""What Canvas and Moodle take in: the totals, and the pages for all students in one zip file."""

import io
import zipfile

from nbformat import v4, writes

from classroom import names, tables

IDENTIFYING = (*names.NAME, *names.FIRST, *names.LAST, *names.NUMBERS, "section")  # the columns that are kept
PAGE = "feedback.html"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}  # or Jupyter would ask for one


def totals(roster, title, results):
    """Return the table of a list of students, with the columns by which its platform knows them, and their totals.

    title: of the totals; results: {student: Result}. Who has no total has no row: what the platform has stays.
    """
    table = tables.read(roster.path)
    titles = {small: title for small, title in zip(table.columns(), table.rows[0][1]) if small in IDENTIFYING}
    lines = [tables.line([*titles.values(), title])]
    for student, row in roster.rows:
        if student in results and results[student].total is not None:
            lines.append(tables.line([*map(row.get, titles), f"{results[student].total:g}"]))
    return "".join(lines)


def packed(pages):
    """Return the content of a zip file with the pages of all whose work was named by a platform.

    pages: {name of the file or folder that was handed in: page}. Moodle finds a student by the name of a folder, as it
    named it when it exported the hand-ins (mod/assign/feedback/file/importziplib.php). Canvas finds a student by the
    two numbers in the name of a file that was handed in, and shows the new file under the name that the student gave
    that one (`infer_comment_context_from_filename` in its app/models/abstract_assignment.rb): so a notebook gets a
    notebook.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, page in pages.items():
            label = names.label(entry)
            if label.platform == "canvas":
                archive.writestr(entry, _for_canvas(label.file, page))
            elif label.number:  # into the folder of the hand-in, or, where Moodle made none, one named as it would be
                archive.writestr(f"{entry.removesuffix(label.file)}/{PAGE}", page)
    return content.getvalue()


def _for_canvas(file, page):
    """Return a page as a file of the kind that was handed in."""
    if file.casefold().endswith(".zip"):
        inside = io.BytesIO()
        with zipfile.ZipFile(inside, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(PAGE, page)
        return inside.getvalue()
    if file.casefold().endswith(".ipynb"):
        output = v4.new_output("display_data", data={"text/html": page})
        cell = v4.new_code_cell("# What your teacher gives back", outputs=[output])
        return writes(v4.new_notebook(cells=[cell], metadata=KERNEL))
    return page
