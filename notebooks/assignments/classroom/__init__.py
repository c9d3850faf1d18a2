"""What a classroom needs beside the assignments: their checks and the grader."""

from pathlib import Path

ASSIGNMENTS = Path(__file__).resolve().parents[1]  # the folder with their sources
