"""A gradient that does not arrive, and why."""


def forward(x, w, b):
    """w never counts, because `detach` cuts it off; b is only asked about."""
    y = x * w.detach()
    if b > 0:
        y = y + 1
    return y.sum()


# $ dyncli run samples/lessons/05_detached.py -i x='[1, 2]' -i w='[3, 4]' -i b=0.5
# samples/lessons/05_detached.py:forward · float32 · seed 0 · 5 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  13
#
# Gradients of output  seeded with 1
# name  shape  dtype    values
# ────────────────────────────────────────────────────────────
# x     [2]    float32  [3, 4]
# w                     None  detached at line 6: `w.detach()`
# b                     None  only decided line 7: `b > 0`
#
# Decisions
# #  line  test      because      took  left  margin
# ──────────────────────────────────────────────────
# 0     7  if b > 0  b = 0.5 > 0  then  else     0.5
