"""Recursion over a nested tree: a phrase is the combination of its two halves, a word is its own vector.

The graph has the shape of the tree it is given.
Gradients are reported leaf by leaf, under the leaf's place in the tree: `tree.left.value`.
"""

import dyncore as torch
from dyncore import Tensor, nn

torch.manual_seed(0)
combine = nn.Linear(6, 3)
score = nn.Linear(3, 1)


def forward(tree: dict) -> Tensor:
    """The score of a tree: `{"value": [three numbers]}` or `{"left": tree, "right": tree}`."""
    return score(encode(tree)).squeeze()


def encode(tree: dict) -> Tensor:
    """The vector of a tree, by recursion."""
    if "value" in tree:
        return tree["value"]
    left, right = encode(tree["left"]), encode(tree["right"])
    return torch.tanh(combine(torch.cat([left, right])))


# $ dyncli run tree_net
# models/tree_net.py:forward · case word · float32 · seed 0 · 2 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  0.2136
#
# Gradients of output  seeded with 1
# name            shape   dtype    values
# ────────────────────────────────────────────────────────────────────
# tree.value      [3]     float32  [0.4794, -0.1188, 0.432]
# combine.weight                   None  not reached: line 22 returned
# combine.bias                     None  not reached: line 22 returned
# score.weight    [1, 3]  float32  [[0.5, -0.2, 0.1]]
# score.bias      [1]     float32  [1]
#
# Decisions
# #  line  test                because                               took  left  margin  depth
# ────────────────────────────────────────────────────────────────────────────────────────────
# 0    22  if "value" in tree  'value' in tree = dict of 1 (python)  then  else              2
#
# models/tree_net.py:forward · case phrase · float32 · seed 0 · 8 ops · 5 decisions
#
# Outputs
# name    shape  dtype    values
# ───────────────────────────────
# output  []     float32  -0.2384
#
# Gradients of output  seeded with 1 · float32
# name                    shape   values
# ───────────────────────────────────────────────────────────────
# tree.left.value         [3]     [-0.1669, -0.054, -0.2182]
# tree.right.left.value   [3]     [-0.0609, -0.06825, 0.01829]
# tree.right.right.value  [3]     [0.04392, 0.04507, 0.02286]
# combine.weight          [3, 6]  norm 0.5229 · -0.1995 to 0.3704
# combine.bias            [3]     [0.3136, -0.1022, 0.5837]
# score.weight            [1, 3]  [[-0.2566, -0.2141, -0.1105]]
# score.bias              [1]     [1]
#
# Decisions
#   #  line  test                because                              took         left  margin  depth
# ────────────────────────────────────────────────────────────────────────────────────────────────────
#   0    22  if "value" in tree  'value' in tree = dict of 2          else         then              2
#                                (python)
# 1…2    22  if "value" in tree  'value' in tree = dict of 1 … dict   True, False                    3
#                                of 2 (python)
# 3…4    22  if "value" in tree  'value' in tree = dict of 1          True x2      else              4
#                                (python)
