"""A classifier that stops as soon as it is sure: real handwritten digits, trained weights, one exit after each layer.

Clear digits leave at the first exit and record a short graph; unclear ones go on.
The weights come from `samples/digits/train.py`, which also says how often the network is right on digits it never saw.
"""

from pathlib import Path

import dyncore as torch
from dyncore import Tensor, nn

WEIGHTS = Path(__file__).parents[1] / "samples" / "digits" / "weights.npz"


class EarlyExit(nn.Module):
    """Layers with a classifier after each; the first that is confident decides."""

    def __init__(self, width: int = 32, depth: int = 4, classes: int = 10) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(64 if k == 0 else width, width) for k in range(depth))
        self.exits = nn.ModuleList(nn.Linear(width, classes) for _ in range(depth))

    def forward(self, image: Tensor, confident: float = 0.9) -> Tensor:
        """image: (64,), an 8 x 8 digit with grey values from 0 to 16.  Returns the (10,) scores of the exit taken."""
        state = image / 16
        for layer, leave in zip(self.layers, self.exits):
            state = torch.relu(layer(state))
            scores = leave(state)
            if scores.softmax(-1).max() > confident:
                break
        return scores

    def every_exit(self, images: Tensor) -> list[Tensor]:
        """images: (n, 64).  Returns the (n, 10) scores of each exit, for training."""
        state, scores = images / 16, []
        for layer, leave in zip(self.layers, self.exits):
            state = torch.relu(layer(state))
            scores.append(leave(state))
        return scores


model = EarlyExit()
if WEIGHTS.exists():
    model.load_state_dict(torch.load(WEIGHTS))


# $ dyncli run early_exit --show decisions
# models/early_exit.py:model · case clear · float32 · seed 0 · 7 ops · 2 decisions
#
# Decisions  and 7 while the script was loaded: `--show loading`
# #  line  test                                because                            took   left   margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0    26  for layer, leave in                 1 trip, break (python)             break
#          zip(self.layers, self.exits)
# 1    29    if scores.softmax(-1).max() >     scores.softmax(-1).max() = 0.9999  then   else  0.09993
#          confident                           > confident = 0.9
#
# models/early_exit.py:model · case unclear · float32 · seed 0 · 19 ops · 4 decisions
#
# Decisions  and 7 while the script was loaded: `--show loading`
#   #  line  test                          because                      took            left    margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
#   0    26  for layer, leave in           3 trips, break (python)      break
#            zip(self.layers, self.exits)
# 1…3    29    if                          scores.softmax(-1).max() =   False x2, True        -0.02611
#            scores.softmax(-1).max() >    0.7106 … 0.9791 > confident
#            confident                     = 0.9
