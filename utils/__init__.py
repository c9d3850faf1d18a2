"""The pieces that the notebooks build, one idea a file.

Read these five files, in this order, which is that of the notebooks:

1. `text.py` (notebooks 01 and 02): a sentence becomes tokens, ids and vectors, one row a token.
2. `attention.py` (03 to 10): query, key and value; scores, softmax, masks; `attention` in two lines; heads; and
   `MultiHeadAttention`, which reads one sequence or two. If you read only one file, read this one.
3. `positions.py` (11): three ways to tell attention the order of the tokens, which it would otherwise ignore.
4. `transformer.py` (12): what surrounds attention in a model: a residual, a norm, feed-forward; the block of 2017 and
   that of today.
5. `fast.py` (16): the same results in less memory, by tiles, and without computing a key twice, by a cache.

Each docstring gives shapes, errors, the notebook in which the function is built, and the source. Where a shape changes
there is a small example, which the tests run.

Eight files stand beside these:
* `shapes.py`: the errors. `shapes.check_...` refuses what does not fit, and says what was expected and what to do.
* `pytorch.py`: the heads of `attention.py` as PyTorch's own module.
* `printing.py`: how the notebooks print a tensor (`show`) and a difference to PyTorch (`compare`).
* `properties.py` (20): runs ten tests on an attention layer of your own. The tests are in the next three files.
* `who_reads.py` (20): whether a token can read padding, another sentence or the future, and all that it may read.
* `what_stays.py` (20): what stays equal, as when a sentence comes twice, or beside a reference.
* `what_learns.py` (20): which numbers of the layer get a gradient, matrix by matrix and head by head.
* `trials.py` (20): what these tests share: other inputs, which outputs are compared, and how closely.

What stands in the folders around `utils`, and which of them may import what, is in `CONTRIBUTING.md`.

Names: tokens are rows, a batch comes first, and a mask is boolean with True = may attend.
"""
