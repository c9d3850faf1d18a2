"""A browser that reaches nothing outside this machine."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
USUAL_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)


def chromium():
    """Return the path of a Chromium or Chrome, or None. Raises FileNotFoundError if CHROMIUM names none."""
    if "CHROMIUM" in os.environ:
        if not Path(os.environ["CHROMIUM"]).is_file():
            raise FileNotFoundError(f"the environment says CHROMIUM={os.environ['CHROMIUM']!r}, which is not a file")
        return os.environ["CHROMIUM"]
    return next((path for name in (*NAMES, *USUAL_PLACES) if (path := shutil.which(name))), None)


@contextmanager
def running_browser(path):
    """Start a browser that reaches nothing but this machine."""
    closed = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    options = [closed, "--disable-dev-shm-usage", "--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()
