"""The other arm: the same run with its `if` decided the other way, beside the run as it is."""


def forward(x):
    """Doubles x where its sum is positive, shifts it where it is not."""
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 2
    return y * y


# $ dyncli run samples/lessons/08_what_if.py -i '[1, -1, 2]' --force 6=else
# samples/lessons/08_what_if.py:forward · float32 · seed 0 · 4 ops · 1 decision
# forced 6=else · as it is: 4 ops, 1 decision
#
# Outputs
# name    as it is    forced     differs by
# ─────────────────────────────────────────
# output  [4, 4, 16]  [1, 9, 0]          16
#
# Gradients
# name  as it is     forced       differs by
# ──────────────────────────────────────────
# x     [8, -8, 16]  [-2, -6, 0]          16
#
# Decisions
# #  line  test            because            took         left  margin
# ─────────────────────────────────────────────────────────────────────
# 0     6  if x.sum() > 0  x.sum() = 2.0 > 0  else forced  then       2
