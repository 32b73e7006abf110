"""Initial values of parameters, with PyTorch's distributions and bounds.

They are written in place and not recorded.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from dyncore.dtypes.limits import fitted
from dyncore.errors.explain import missing_in
from dyncore.graph import versions
from dyncore.rng import initial as noise
from dyncore.rng.samplers import permutation
from dyncore.tensors.tensor import Tensor, storage

__capture__ = "refused"


def _set(tensor: Tensor, values: Any) -> Tensor:
    target = storage(tensor)
    versions.before_write(target, silent=True)
    target[...] = values
    versions.bump(target)
    return tensor


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with numbers drawn uniformly from [a, b)."""
    return _set(tensor, noise.uniform_of(storage(tensor), a, b, generator))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normally distributed numbers."""
    return _set(tensor, noise.normal_of(storage(tensor), mean, std, generator))


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Fill with normally distributed numbers that lie within [a, b].

    Numbers outside are drawn again.
    """
    if (mean < a - 2 * std) or (mean > b + 2 * std):
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
            "incorrect.",
            stacklevel=2,
        )
    return _set(tensor, noise.truncated_of(storage(tensor), mean, std, a, b, generator))


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one value."""
    if isinstance(val, (int, float, complex)):
        val = fitted(val, tensor._array.dtype)
    return _set(tensor, val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones."""
    return _set(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    return _set(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Set a matrix to the identity.

    Raises ValueError unless it has two dimensions.
    """
    if tensor._array.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _set(tensor, np.eye(*tensor._array.shape))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Set the weight of a convolution to pass its input channels through."""
    shape = tensor._array.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    values = np.zeros(shape)
    each = shape[0] // groups
    middle = tuple(n // 2 for n in shape[2:])
    for group in range(groups):
        for channel in range(min(each, shape[1])):
            values[(group * each + channel, channel, *middle)] = 1
    return _set(tensor, values)


def _fans(tensor: Tensor) -> tuple[int, int]:
    """Return fan_in and fan_out.

    That is how many inputs each output sums over, and how many outputs each input reaches.
    """
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


_calculate_fan_in_and_fan_out = _fans
_no_grad_trunc_normal_ = trunc_normal_


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor that keeps the variance through a nonlinearity.

    sqrt 2 for relu, 5/3 for tanh, ...  Raises ValueError for an unknown one.
    """
    if nonlinearity in ("linear", "sigmoid", *(f"conv{t}{d}d" for t in ("", "_transpose") for d in (1, 2, 3))):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if isinstance(param, bool) or not isinstance(param, (int, float, type(None))):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill uniformly within +- gain sqrt(6 / (fan_in + fan_out))."""
    fan_in, fan_out = _fans(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / float(fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill normally with standard deviation gain sqrt(2 / (fan_in + fan_out))."""
    fan_in, fan_out = _fans(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _fans(tensor)[mode == "fan_out"]


_calculate_correct_fan, _no_grad_uniform_, _no_grad_normal_ = _fan, uniform_, normal_


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fill uniformly within +- gain sqrt(3 / fan)."""
    if 0 in tensor._array.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fill normally with standard deviation gain / sqrt(fan)."""
    if 0 in tensor._array.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _fan(tensor, mode)
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill with a (semi-)orthogonal matrix times `gain`.

    Dimensions after the first count as one.
    """
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor._array.size == 0:
        return tensor
    rows, columns = shape[0], tensor._array.size // shape[0]
    flat = noise.normal((rows, columns), 0, 1, generator, tensor._array.dtype)
    q, r = np.linalg.qr(flat.T if rows < columns else flat)
    q = q * np.sign(np.diagonal(r))
    return _set(tensor, (q.T if rows < columns else q).reshape(shape) * gain)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal numbers, and a part of every column with zeros.

    sparsity: the fraction of zeros.
    """
    if tensor._array.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor._array.shape
    values = noise.normal_of(storage(tensor), 0, std, generator)
    for column in range(columns):
        values[permutation(rows)[: math.ceil(sparsity * rows)], column] = 0
    return _set(tensor, values)


def _old(function: Any) -> Any:
    name = function.__name__

    def deprecated(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(
            f"`nn.init.{name[:-1]}` is now deprecated in favor of `nn.init.{name}`.", FutureWarning, stacklevel=2
        )
        return function(*args, **kwargs)

    return deprecated


(
    uniform, normal, constant, eye, dirac, xavier_uniform, xavier_normal, kaiming_uniform, kaiming_normal, orthogonal,
    sparse,
) = (
    _old(each)
    for each in (
        uniform_, normal_, constant_, eye_, dirac_, xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_,
        orthogonal_, sparse_,
    )
)  # fmt: skip

__getattr__ = missing_in(__name__)
