"""What goes with the notebooks: feedback on exercises, pictures, and the small models that were trained.

Five files show how all of it is made. Read them in this order:

1. `worlds/which_minute/head.py`: a small model, how it is trained, and how `trained()` loads what is stored.
2. `pictures/heatmap.py`: a figure by matplotlib, in the colors of `palette.py` and with a description in words.
3. `pictures/live/notebook_04_turn_query.py`: a live picture, whose script is `turn-query.js` beside it; `base.py` says
   what all of them share.
4. `checks/notebook_05.py`: what is asked of an answer, and a table of the mistakes that the check can name.
5. `checks/exercise.py`: how an answer becomes "not attempted yet", "not yet: ..." or "correct", in `verdict_words.py`.

`CONTRIBUTING.md` names every file. A file imports only from its own floor or below; `tests/test_imports.py` lists the
floors.
"""
