"""The script itself as the report: what each line did in this run."""


def forward(x):
    """Shrinks x until it is small; leaves early where a step changes nothing."""
    while x.abs().max() > 1:
        before = x.norm().item()
        x = x / 2 if x.sum() > 0 else x - x.mean()
        if x.norm().item() == before:
            return x
    return x * 10


# $ dyncli run samples/lessons/09_source.py -i '[5, -1, -2]' --source
# samples/lessons/09_source.py:forward · float32 · seed 0 · 28 ops · 10 decisions
#
# samples/lessons/09_source.py  6 of 7 statements reached
#  1    │ """The script itself as the report: what each line did in this run."""
#  2    │
#  3    │
#  4  1 │ def forward(x):
#  5    │     """Shrinks x until it is small; leaves early where a step changes nothing."""
#  6  4 │     while x.abs().max() > 1:            T T T F   5.0 … 0.625 > 1
#  7  3 │         before = x.norm().item()
#  8  3 │         x = x / 2 if x.sum() > 0 else x - x.mean()
#       │             if x.sum() > 0: T T T   2.0 … 0.5 > 0
#  9  3 │         if x.norm().item() == before:   F F F   2.739 … 0.6847 == 5.477 … 1.369
# 10  0 │             return x
# 11  1 │     return x * 10
