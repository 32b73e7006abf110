"""Attention that masks only when it has to: the future if `causal`, the padding if a sequence is shorter than the rest.

Each mask is one `if`; the ops it adds are there only for inputs that need it.
"""

import math

import dyncore as torch
from dyncore import Tensor


def forward(x: Tensor, causal: bool = False, length: int | None = None) -> Tensor:
    """Self-attention of one sequence x: (steps, features) -> (steps, features).

    causal: no step sees a later one.  length: steps from there on are padding, which no step sees.
    """
    steps, features = x.shape
    scores = x @ x.T / math.sqrt(features)
    if causal:
        scores = scores.masked_fill(torch.ones(steps, steps).triu(1).bool(), float("-inf"))
    if length is not None and length < steps:
        padding = torch.arange(steps) >= length
        scores = scores.masked_fill(padding, float("-inf"))
    return torch.softmax(scores, dim=-1) @ x


# $ dyncli run attention
# models/attention.py:forward · case plain · float32 · seed 0 · 5 ops · 2 decisions
#
# Outputs
# name    shape   dtype    values
# ───────────────────────────────────────────
# output  [3, 2]  float32  [[0.8022, 0.5989],
#                           [0.5989, 0.8022],
#                           [0.7517, 0.7517]]
#
# Gradients of output  seeded with ones
# name  shape   dtype    values
# ─────────────────────────────────────────
# x     [3, 2]  float32  [[0.7011, 0.8164],
#                         [0.8164, 0.7011],
#                         [1.741, 1.741]]
#
# Decisions
# #  line  test                                 because                             took  left  margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0    19  if causal                            causal = False (python)             else  then
# 1    21  if length is not None and length <   length = None is not None (python)  else  then
#          steps
#
# models/attention.py:forward · case causal · float32 · seed 0 · 9 ops · 2 decisions
#
# Outputs
# name    shape   dtype    values
# ───────────────────────────────────────────
# output  [3, 2]  float32  [[1, 0],
#                           [0.3302, 0.6698],
#                           [0.7517, 0.7517]]
#
# Gradients of output  seeded with ones
# name  shape   dtype    values
# ─────────────────────────────────────────
# x     [3, 2]  float32  [[1.49, 1.49],
#                         [0.8296, 0.8296],
#                         [0.7686, 0.7686]]
#
# Decisions
# #  line  test                                 because                             took  left  margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0    19  if causal                            causal = True (python)              then  else
# 1    21  if length is not None and length <   length = None is not None (python)  else  then
#          steps
#
# models/attention.py:forward · case padded · float32 · seed 0 · 12 ops · 2 decisions
#
# Outputs
# name    shape   dtype    values
# ───────────────────────────────────────────
# output  [3, 2]  float32  [[1, 0],
#                           [0.3302, 0.6698],
#                           [0.5, 0.5]]
#
# Gradients of output  seeded with ones
# name  shape   dtype    values
# ─────────────────────────────────────
# x     [3, 2]  float32  [[1.83, 1.83],
#                         [1.17, 1.17],
#                         [0, 0]]
#
# Decisions
# #  line  test                                because                              took  left  margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0    19  if causal                           causal = True (python)               then  else
# 1    21  if length is not None and length <  length = 2 is not None True, length  then  else       1
#          steps                               = 2 < steps = 3 True (shape)
