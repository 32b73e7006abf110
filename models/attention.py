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
