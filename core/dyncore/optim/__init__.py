"""`torch.optim`: optimizers and learning-rate schedules."""

from __future__ import annotations

import sys

from dyncore.explain import missing_in
from dyncore.optim import lr_scheduler
from dyncore.optim.adam import Adam, AdamW
from dyncore.optim.adam_variants import Adamax, NAdam, RAdam
from dyncore.optim.adaptive import Adadelta, Adagrad, RMSprop, Rprop
from dyncore.optim.asgd import ASGD
from dyncore.optim.lbfgs import LBFGS
from dyncore.optim.optimizer import Optimizer
from dyncore.optim.sgd import SGD

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop",
    "Rprop", "lr_scheduler",
]  # fmt: skip

for _name, _module in list(sys.modules.items()):
    if _name.startswith("dyncore.optim"):
        _module.__dict__["__dyncore__"] = True

__getattr__ = missing_in(__name__)
