"""NumPy's functions without the check for `__array_function__`.

For arguments that can only be arrays (tests/bench, early exit).
`clip` is the ufunc: both bounds in one pass, with the bits of `np.maximum` and `np.minimum` (NaN and -0, too).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy._core import umath


def _undispatched(function: Any) -> Any:
    return getattr(function, "__wrapped__", function)


copyto = _undispatched(np.copyto)
putmask = _undispatched(np.putmask)
clip: Any = vars(umath)["clip"]
concatenate = _undispatched(np.concatenate)
