"""Two inputs, two runs: the first test at which they part, long before their outputs differ by much."""


def forward(x):
    """Halves x until its sum is small, then lifts what is still large."""
    while x.sum() > 1:
        x = x / 2
    if x.max() > 0.5:
        x = x + 1
    return x * 3


# $ dyncli diff samples/lessons/10_diff.py -i '[1, 1]' -i '[1.0, 1.2]'
# samples/lessons/10_diff.py:forward · float32 · seed 0
# A  x = [1, 1] · 8 ops · 3 decisions
# B  x = [1, 1.2] · 11 ops · 4 decisions
#
# They part at line 6: while x.sum() > 1 · after 1 step
#    #  because            took  margin
# ─────────────────────────────────────
# A  1  x.sum() = 1.0 > 1  exit       0
# B  1  x.sum() = 1.1 > 1  body     0.1
#
# Differ: 1 decision, 1 only in B · 6 ops, 3 only in B · 1 output · 1 gradient · 1 gradient of an op
#
# line  what             A              B                differs by
# ─────────────────────────────────────────────────────────────────
#    6  first op: sum    #0 2           #0 2.2                  0.2
#       output           [1.5, 1.5]     [0.75, 0.9]            0.75
#       grad of x        [1.5, 1.5]     [0.75, 0.75]           0.75
#    7  grad of div      #2 [3, 3]      #2 [1.5, 1.5]           1.5
#   10  most: mul        #7 [1.5, 1.5]  #10 [0.75, 0.9]        0.75
#    7  first in B: div  —              #5 [0.25, 0.3]
# `--full` shows all that differs

# The loop went round once more; the code after it belongs together again.  The exit code is 1, because they differ.
# $ dyncli diff samples/lessons/10_diff.py -i '[1, 1]' -i '[1, 1]'; echo $?
# samples/lessons/10_diff.py:forward · float32 · seed 0
# A  8 ops · 3 decisions
# B  8 ops · 3 decisions
#
# No difference: 3 decisions, 8 ops, 1 output, 1 gradient, 2 gradients of ops
# 0
