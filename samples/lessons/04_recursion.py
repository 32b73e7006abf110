"""A function that calls itself: the graph is as deep as the recursion went."""


def forward(x, depth: int = 3):
    """x to the power of 2^depth, by squaring."""
    if depth == 0:
        return x
    return forward(x, depth - 1).square()


# $ dyncli run samples/lessons/04_recursion.py -i '[1.1, 0.9]' -i depth=2
# samples/lessons/04_recursion.py:forward · float32 · seed 0 · 2 ops · 3 decisions
#
# Outputs
# name    shape  dtype    values
# ───────────────────────────────────────
# output  [2]    float32  [1.464, 0.6561]
#
# Gradients of output  seeded with ones
# name  shape  dtype    values
# ────────────────────────────────────
# x     [2]    float32  [5.324, 2.916]
#
# Decisions
# #  line  test           because                  took  left  margin  depth
# ──────────────────────────────────────────────────────────────────────────
# 0     6  if depth == 0  depth = 2 == 0 (python)  else  then      -2      1
# 1     6  if depth == 0  depth = 1 == 0 (python)  else  then      -1      2
# 2     6  if depth == 0  depth = 0 == 0 (python)  then  else       0      3
