"""A house in a box: plays whole matches without a network, honestly or not, the same every time.

`python -m tests.forge` writes the data of `tests/vectors` and `tests/forgeries`.
"""
