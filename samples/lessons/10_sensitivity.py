"""How far from the other arm?  The margin of each test, its gradient, and the nearest change that flips it."""


def forward(x):
    """Halves x until it is short, and doubles it where its parts allow."""
    norm = (x * x).sum()
    while norm.item() > 10:
        x = x / 2
        norm = (x * x).sum()
    if x[0] > 0 and x.max() < 1:
        return x * 2
    return x


# $ dyncli run samples/lessons/10_sensitivity.py -i '[3, -1, 4]' --sensitivity --show decisions
# samples/lessons/10_sensitivity.py:forward · float32 · seed 0 · 9 ops · 3 decisions
#
# Decisions
#   #  line  test                         because                            took         left  margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0…1     7  while norm.item() > 10       norm.item() = 26.0 … 6.5 > 10      True, False          -3.5
#                                         (scalar)
#   2    10  if x[0] > 0 and x.max() < 1  x[0] = 1.5 > 0 True, x.max() =     else         then      -1
#                                         2.0 < 1 False
