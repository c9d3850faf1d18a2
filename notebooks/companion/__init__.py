"""What goes with the notebooks: feedback on exercises, pictures, and the small models that were trained.

Five files show how all of it is made. Read them in this order:

1. `worlds/which_minute/head.py`: a small model, how it is trained, and how `trained()` loads what is stored.
2. `pictures/heatmap.py`: a figure by matplotlib, in the colors of `palette.py` and with a description in words.
3. `pictures/live/notebook_04_turn_query.py`: a live picture, whose script is `turn-query.js` beside it; `base.py` says
   what all of them share.
4. `checks/notebook_05.py`: what is asked of an answer, and a table of the mistakes that the check can name.
5. `checks/exercise.py`: how an answer becomes "not attempted yet", "not yet: ..." or "correct", in `verdict_words.py`.

Beside these folders:

* `mine.py`, `pieces.py`, `own_pages.py`: the reader's own file, what later notebooks take from it, and pages of it.
* `mistakes.py`, `slips.py`, `course_answers.py`: wrong and right answers that several checks or worlds share.
* `fitting.py`, `writing.py`, `progress.py`, `timing.py`: long loops of notebooks, and how long they take.
* `installation.py`: whether the course can run here.

A file imports only from its own floor or below; `tests/test_imports.py` lists the floors.
"""
