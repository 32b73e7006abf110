"""dyncore: eager autograd over NumPy with PyTorch's names and semantics; `import dyncore as torch`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from . import autograd, creation, dtypes, ops
from .bind import bind
from .creation import (
    arange,
    as_tensor,
    asarray,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    scalar_tensor,
    tensor,
    tril_indices,
    triu_indices,
    zeros,
    zeros_like,
)
from .dtypes import can_cast, finfo, get_default_dtype, iinfo, promote_types, set_default_dtype
from .dtypes import dtype as dtype
from .grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .size import Size, device
from .tensor import Tensor

# inf and nan are answers here, as in PyTorch, not faults to warn of; `np.errstate` around each op would cost 0.4 us.
np.seterr(divide="ignore", over="ignore", under="ignore", invalid="ignore")

globals().update({each.name: each for each in dtypes.ALL})
globals().update(bind())
from .methods import *  # noqa

for _name, _module in list(sys.modules.items()):
    if _name.startswith("dyncore"):
        _module.__dict__["__dyncore__"] = True
