"""The small worlds and models that notebooks train or look into, one file or one folder for each.

In a folder lie what the world says (`world.py`, `sentences.py`, `dictionary.py`), the model, what was
measured of it, its pictures and its stored numbers. `trained.json` and `trained.pt` are made by `train.py`, and any
other NAME.json by NAME.py or `train_NAME.py`; each is run by `python -m`, and says how long it takes. A function called
`trained` or `load_...` loads what is stored; one called `train_model` or `train_...` trains a model here and now.
"""
