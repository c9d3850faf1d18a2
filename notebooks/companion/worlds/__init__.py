"""The small worlds and models that notebooks train or look into, one file or one folder for each.

In a folder lie what the world says (`world.py`, `sentences.py`, `dictionary.py`), the model, what was measured of it,
its pictures and its stored numbers. The file that reads NAME.json or NAME.pt also makes it, or `train_NAME.py` or
`make_NAME.py` does: run it by `python -m`; it says how long it takes. (`minilm.json` itself says what made it.)
A function called `trained` or `load_...` loads what is stored; one called `train_...` trains a model here and now.
"""
