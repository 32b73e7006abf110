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
#
# Sensitivity  the nearest change of the inputs that flips a test, to first order
# #  line  test                 margin     by  nearest change      one alone      tried
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 1     7  while norm.item() >    -3.5  1.373  x + [0.8077,        x[2] + 1.75 ✓  flips: 10.47 > 10
#          10  the nearest of                  -0.2692, 1.077]
#          2
# 2    10  if x[0] > 0             1.5      3  x + [-3, 0, 0]      x[0] - 3 ✗     does not flip:
#                                                                                 -0.0015 > 0, which
#                                                                                 alone does not flip
#                                                                                 the test
# 2    10  x.max() < 1              -1      2  x + [0, 0, -2]      x[2] - 2 ✗     does not flip: 1.5 <
#                                                                                 1
