"""How Sphinx turns the notebooks into pages: nothing is run, and nothing is asked of a network."""

import os
import sys
from operator import methodcaller
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # where pages.py is
project = html_title = "Attention from scratch"
html_baseurl = os.environ.get("WEBSITE", "")  # where it is published
root_doc = "00_start_here"
exclude_patterns = ["assignments"]
extensions = ["myst_nb", "pages"]
nb_execution_mode = "off"
nb_code_prompt_show = "The code of this picture"
nb_code_prompt_hide = "Hide the code"
myst_heading_anchors = 4
myst_heading_slug_func = methodcaller("replace", " ", "-")  # as JupyterLab: its links to headings lead there here, too
myst_heading_anchors_html_ids = False  # a heading's quotation mark would end the attribute
html_theme = "furo"
html_copy_source = html_use_index = html_show_copyright = False
pygments_dark_style = "a11y-high-contrast-dark"
html_show_search_summary = False  # it would be fetched, which a page opened from a file may not do
html_static_path = ["custom.css", "door/preview.png", "door/icon.png", "../notebooks/companion/pictures/font"]
html_favicon = "door/icon.png"
templates_path = ["templates"]
html_additional_pages = {"index": "cover.html"}
html_css_files = ["custom.css"]
html_theme_options = {
    f"{look}_css_variables": {
        "font-stack": "Inter, system-ui, sans-serif",
        "color-brand-primary": blue,
        "color-brand-content": blue,
        "color-background-primary": paper,
    }
    for look, blue, paper in (("light", "#005B8F", "#FFFFFF"), ("dark", "#7CC4F0", "#121212"))
}
