"""`torch.optim`: optimizers and learning-rate schedules."""

from __future__ import annotations

import sys

from dyncore.binding.imports import also, files
from dyncore.errors.explain import missing_in
from dyncore.optim import functional, lr_scheduler
from dyncore.optim.adam import Adam, AdamW
from dyncore.optim.adam_variants import Adamax, NAdam, RAdam
from dyncore.optim.adaptive import Adadelta, Adagrad, RMSprop, Rprop
from dyncore.optim.asgd import ASGD
from dyncore.optim.lbfgs import LBFGS
from dyncore.optim.matrices import Adafactor, Muon
from dyncore.optim.optimizer import Optimizer
from dyncore.optim.sgd import SGD
from dyncore.optim.sparse_adam import SparseAdam

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Muon", "NAdam",
    "Optimizer", "RAdam", "RMSprop", "Rprop", "SparseAdam", "lr_scheduler",
]  # fmt: skip

files(__name__, ("adadelta", "adagrad", "adamax", "adamw", "nadam", "radam", "rmsprop", "rprop"))
also(__name__, "_functional", functional)
for _name, _function in functional.FUNCTIONS.items():
    vars(sys.modules[f"{__name__}.{_name}"])[_name] = _function  # `torch.optim.adam.adam`


def __getattr__(name: str) -> object:
    """Import `swa_utils` on first access.

    Raises AttributeError for other names, with the nearest one.
    """
    if name == "swa_utils":
        import importlib

        return importlib.import_module("dyncore.optim.swa_utils")
    return missing_in(__name__)(name)


def __dir__() -> list[str]:
    return sorted({*globals(), "swa_utils"})
