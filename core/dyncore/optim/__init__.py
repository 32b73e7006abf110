"""`torch.optim`: optimizers and learning-rate schedules."""

from __future__ import annotations

import sys

from dyncore.optim.adam import Adam, AdamW
from dyncore.optim.optimizer import Optimizer
from dyncore.optim.sgd import SGD

for _name, _module in list(sys.modules.items()):
    if _name.startswith("dyncore.optim"):
        _module.__dict__["__dyncore__"] = True
