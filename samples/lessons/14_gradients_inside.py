"""A model that takes a gradient on its way: a penalty on the slope, as a physics loss has one."""

import dyncore as torch


def forward(x):
    """The energy, and how steep it is; both count in what comes back."""
    energy = (x**3).sum() if x.sum() > 0 else (x**2).sum()
    (slope,) = torch.autograd.grad(energy, x, create_graph=True)
    return energy + (slope * slope).sum()


# $ dyncli run samples/lessons/14_gradients_inside.py -i '[1, 2]'
# samples/lessons/14_gradients_inside.py:forward · float32 · seed 0 · 11 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  162
#
# Gradients of output  seeded with 1
# name  shape  dtype    values
# ───────────────────────────────
# x     [2]    float32  [39, 300]
#
# not shown: autograd.grad() at line 9 (`--full` for all)
#
# Decisions
# #  line  test            because            took  left  margin
# ──────────────────────────────────────────────────────────────
# 0     8  if x.sum() > 0  x.sum() = 3.0 > 0  then  else       3
# $ dyncli graph samples/lessons/14_gradients_inside.py -i '[1, 2]' --grads
# samples/lessons/14_gradients_inside.py:forward · 11 ops · 1 decision
# ├── x  float32 [2] · [1, 2]  grad [39, 300]
# ├── seed  float32 [] · 1
# ├── sum#0  ← x  float32 [] · 3  line 8
# ├── gt#1 0  ← sum#0  bool [] · True  line 8
# ├── if x.sum() > 0  ← gt#1  line 8 · 3 > 0 · margin 3
# │   └── taken: True
# │       ├── pow#2 3  ← x  float32 [2] · [1, 8]  grad [1, 1]  line 8
# │       └── sum#3  ← pow#2  float32 [] · 9  grad 1  line 8
# ├── expand#4 (2)  ← seed  float32 [2] · [1, 1]  line 9 · of a derivative
# ├── pow#5 2  ← x  float32 [2] · [1, 4]  grad [18, 72]  line 9 · of a derivative
# ├── mul#6 3  ← pow#5  float32 [2] · [3, 12]  grad [6, 24]  line 9 · of a derivative
# ├── mul#7  ← expand#4, mul#6  float32 [2] · [3, 12]  grad [6, 24]  line 9 · of a derivative
# ├── mul#8  ← mul#7  float32 [2] · [9, 144]  grad [1, 1]  line 10
# ├── sum#9  ← mul#8  float32 [] · 153  grad 1  line 10
# ├── add#10 → output  ← sum#3, sum#9  float32 [] · 162  grad 1  line 10
# └── output  ← add#10  float32 [] · 162  backward · seed 1
