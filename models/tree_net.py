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
