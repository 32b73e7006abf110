"""One `if`: the arm that ran is in the graph, the other is not."""

import dyncore as torch

x = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
if x.sum() > 0:
    y = x * 2
else:
    y = x - 2
y.sum().backward()
print(x.grad)

# $ dyncli run samples/lessons/01_branch.py
# tensor([2., 2., 2.])
# samples/lessons/01_branch.py:__main__ · float32 · seed 0 · 5 ops · 1 decision
#
# Outputs
# name  shape  dtype    values
# ────────────────────────────────
# y     [3]    float32  [2, -2, 4]
#
# Gradients  backward() at line 10 · seeded with 1
# name  shape  dtype    values
# ───────────────────────────────
# x     [3]    float32  [2, 2, 2]
#
# Decisions
# #  line  test            because            took  left  margin
# ──────────────────────────────────────────────────────────────
# 0     6  if x.sum() > 0  x.sum() = 2.0 > 0  then  else       2
