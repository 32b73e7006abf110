"""A mixture of experts in which the data choose the expert.

The gate scores the experts; the rows of the batch go to the best one for each, and only experts that got a row run.
An expert that nobody chose has no gradient, and dyncli says why.
"""

import dyncore as torch
from dyncore import Tensor, nn

torch.manual_seed(1)
EXPERTS = 3


class Router(nn.Module):
    """Sends each row to the expert with the highest gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(2, EXPERTS)
        self.experts = nn.ModuleList(nn.Linear(2, 2) for _ in range(EXPERTS))

    def forward(self, x: Tensor) -> Tensor:
        """x: (rows, 2).  Returns (rows, 2), each row its expert's output times the expert's gate."""
        gates = torch.softmax(self.gate(x), dim=1)
        rows = []
        for row, weights in zip(x, gates):
            best = weights.argmax().item()
            rows.append(weights[best] * self.experts[best](row))
        return torch.stack(rows)


model = Router()


# $ dyncli run router
# models/router.py:model · case two_rows · float32 · seed 0 · 13 ops · 1 decision
#
# Outputs
# name    shape   dtype    values
# ────────────────────────────────────────────
# output  [2, 2]  float32  [[0.0945, 0.01953],
#                           [0.2194, 0.3418]]
#
# Gradients of output  seeded with ones · float32
# name              shape      values
# ──────────────────────────────────────────────────────────────────────────────
# x                 [2, 2]     [[-0.03601, 0.3498], [-0.5492, -0.1036]]
# gate.weight       [3, 2]     norm 0.4141 · -0.3043 to 0.2737
# gate.bias         [3]        [-0.1055, -0.1495, 0.2549]
# experts.1.weight  [2, 2]     [[0.4551, 0.2276], [0.4551, 0.2276]]
# experts.1.bias    [2]        [0.4551, 0.4551]
# experts.2.weight  [2, 2]     [[-0.5018, 0.1004], [-0.5018, 0.1004]]
# experts.2.bias    [2]        [0.5018, 0.5018]
# experts.0.*       2 tensors  None  not chosen at line 28: `self.experts[best]`
#
# Decisions  and 1 while the script was loaded: `--show loading`
# #  line  test                               because          took       left  margin
# ────────────────────────────────────────────────────────────────────────────────────
# 0    26  for row, weights in zip(x, gates)  2 trips (shape)  exhausted
#
# Choices by index
# line  choice            times  picked       margin  for
# ─────────────────────────────────────────────────────────────────────────────────────────
#   27  weights.argmax()      2  1, 2 (of 3)  0.1247  line 28: weights[best], experts[best]
#
# models/router.py:model · case far · float32 · seed 0 · 9 ops · 1 decision
#
# Outputs
# name    shape   dtype    values
# ───────────────────────────────────────────
# output  [1, 2]  float32  [[-1.17, -0.6638]]
#
# Gradients of output  seeded with ones
# name                      shape      dtype    values
# ───────────────────────────────────────────────────────────────────────────────────────────────
# x                         [1, 2]     float32  [[-0.08284, 0.479]]
# gate.weight               [3, 2]     float32  norm 0.4199 · -0.2452 to 0.229
# gate.bias                 [3]        float32  [-0.06129, 0.05726, 0.004036]
# experts.0.weight          [2, 2]     float32  [[3.866, -2.9], [3.866, -2.9]]
# experts.0.bias            [2]        float32  [0.9666, 0.9666]
# experts.1.*, experts.2.*  4 tensors           None  not chosen at line 28: `self.experts[best]`
#
# Decisions  and 1 while the script was loaded: `--show loading`
# #  line  test                               because         took       left  margin
# ───────────────────────────────────────────────────────────────────────────────────
# 0    26  for row, weights in zip(x, gates)  1 trip (shape)  exhausted
#
# Choices by index
# line  choice            times  picked    margin  for
# ──────────────────────────────────────────────────────────────────────────────────────
#   27  weights.argmax()      1  0 (of 3)  0.9353  line 28: weights[best], experts[best]
