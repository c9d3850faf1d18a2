"""The small worlds and models that notebooks train or look into, one file or one folder for each.

By the notebook that opens them:

* 00 `which_minute`: a head that says which “minute” is meant; 07 trains it, 09 and 12 ask more, 20 breaks it.
* 01 `strawberry`: how GPT-2 cuts this word.
* 08 `words`: English words, letter by letter.
* 10 `nine_words`: English and French, shuffled.
* 11 `letters`: two tasks that need the order of tokens.
* 13 `repeats`: rows of letters that start over.
* 14 `pronunciation`: from spelling to sound.
* 15 `pretrained`: models that others trained; one of them writes in 19.
* 17 `silence`: a token asks for something, or should be silent; `recall`: digits of letters, asked for later.
* 18 `stories`: a toy world, and a model that writes of it; `prose`: a text of another kind.

In a folder lie what the world says (`world.py`, `sentences.py`, `dictionary.py`), the model, what was measured of it,
its pictures and its stored numbers. The file that reads NAME.json or NAME.pt also makes it, or `train_NAME.py` or
`make_NAME.py` does: run it by `python -m`; it says how long it takes. (`minilm.json` itself says what made it.)
A function called `trained` or `load_...` loads what is stored; one called `train_...` trains a model here and now.
"""
