"""A model that throws a coin: the seed decides, and the decision says so."""

import dyncore as torch


def forward(x):
    """Keeps x or turns it round."""
    if torch.rand(()) < 0.5:
        return -x
    return x


# $ dyncli run samples/lessons/06_chance.py -i '[1, 2]' --show outputs --show decisions
# samples/lessons/06_chance.py:forward · float32 · seed 0 · 3 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ────────────────────────────────
# output  [2]    float32  [-1, -2]
#
# Decisions
# #  line  test                     because                        took  left    margin
# ─────────────────────────────────────────────────────────────────────────────────────
# 0     8  if torch.rand(()) < 0.5  torch.rand(()) = 0.4963 < 0.5  then  else  0.003743
# $ dyncli run samples/lessons/06_chance.py -i '[1, 2]' --seed 1 --show outputs --show decisions
# samples/lessons/06_chance.py:forward · float32 · seed 1 · 2 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  [2]    float32  [1, 2]
#
# Decisions
# #  line  test                     because                        took  left   margin
# ────────────────────────────────────────────────────────────────────────────────────
# 0     8  if torch.rand(()) < 0.5  torch.rand(()) = 0.7576 < 0.5  else  then  -0.2576
