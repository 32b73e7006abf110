"""Distribution, the base class, and helpers that its subclasses share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import dyncore as torch
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, wrap

from . import constraints
from .constraints import Constraint


class Distribution:
    """Probability distribution over events of shape `event_shape`.

    `batch_shape` is the shape of the independent distributions in one object.
    Subclasses define `log_prob`, and `rsample` or `sample`; `expand` and the checks of arguments come from
    `arg_constraints`, which names the parameters.
    """

    arg_constraints: dict[str, Constraint] = {}
    support: Any = None
    has_rsample = False
    has_enumerate_support = False
    _validate_args = True

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Set whether new distributions check their arguments."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                if name in self.__dict__ and not constraints.is_dependent(constraint):
                    self._check_parameter(name, constraint, self.__dict__[name])

    def _check_parameter(self, name: str, constraint: Constraint, value: Any) -> None:
        with torch.no_grad():
            valid = constraint.check(value)
        if not valid._array.all():
            raise ValueError(
                f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
            )

    @property
    def batch_shape(self) -> Size:
        """Shape of the independent distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """Shape of one sample, without the batch."""
        return self._event_shape

    @property
    def mean(self) -> Any:
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Any:
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        """Square root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw values of shape `sample_shape` + batch_shape + event_shape.

        They have no history.
        """
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n: int) -> Any:
        """Return `sample((n,))`; deprecated."""
        from dyncore.errors.explain import warn

        warn("sample_n(n) will be deprecated. Use .sample((n,)) instead.", FutureWarning)
        return self.sample((n,))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw values through which gradients reach the parameters."""
        raise NotImplementedError

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density, or of the probability, at `value`."""
        raise NotImplementedError

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to `value`."""
        raise NotImplementedError

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        raise NotImplementedError

    def entropy(self) -> Any:
        """Return the mean of -log_prob."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values of a discrete distribution along a new first dimension."""
        raise NotImplementedError

    def perplexity(self) -> Any:
        """Return exp(entropy)."""
        return torch.exp(self.entropy())

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return the distribution with its parameters expanded to `batch_shape`."""
        expanded = self._get_checked_instance(type(self), _instance)
        expanded.__dict__.update(self.__dict__ | expanded.__dict__)
        before = len(self._batch_shape)
        expanded._batch_shape = Size(batch_shape)
        for name, value in self.__dict__.items():
            if isinstance(value, Tensor) and name != "temperature":
                expanded.__dict__[name] = value.expand(expanded._batch_shape + value.shape[before:])
            elif isinstance(value, Distribution):
                expanded.__dict__[name] = value.expand(expanded._batch_shape + value._batch_shape[before:])
        return expanded

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """Return `_instance`, or a new object without attributes for `expand` of `cls` to fill.

        Raises NotImplementedError for a subclass with an `__init__` of its own and no `expand`.
        """
        if _instance is not None:
            return _instance
        if type(self).__init__ is not cls.__init__:  # type: ignore[misc]
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also "
                "define a custom .expand() method."
            )
        return type(self).__new__(type(self))

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value: Any) -> None:
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        start = len(value.shape) - len(self._event_shape)
        if value.shape[start:] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.shape} vs {self._event_shape}."
            )
        for i, j in zip(reversed(value.shape), reversed(self._batch_shape + self._event_shape), strict=False):
            if i != 1 and j != 1 and i != j:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.shape} vs "
                    f"{self._batch_shape + self._event_shape}."
                )
        support = self.support
        if support is None or constraints.is_dependent(support):
            return
        with torch.no_grad():
            valid = support.check(value)
        if not valid._array.all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        def text(value: Any) -> str:
            return str(
                value.item()
                if value.numel() == 1 and not value.dim()
                else value
                if value.numel() == 1
                else value.size()
            )

        names = [name for name in self.arg_constraints if isinstance(self.__dict__.get(name), Tensor)]
        return f"{type(self).__name__}({', '.join(f'{name}: {text(self.__dict__[name])}' for name in names)})"


def _standard_normal(shape: Any, dtype: Any, device: Any = None) -> Any:
    return torch.randn(shape, dtype=dtype, device=device)


def broadcast_all(*values: Any) -> Any:
    """Return the values as tensors of one shape.

    Numbers take the dtype of the first tensor, or the default one.  Raises ValueError for other types.
    """
    if not all(isinstance(each, (Tensor, int, float)) for each in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    dtype = next((each.dtype for each in values if isinstance(each, Tensor)), torch.get_default_dtype())
    return torch.broadcast_tensors(
        *(each if isinstance(each, Tensor) else torch.tensor(each, dtype=dtype) for each in values)
    )


def is_number(*values: Any) -> bool:
    """Return True if every value is a Python number."""
    return all(isinstance(each, (int, float)) for each in values)


def standard_normal(shape: Any, dtype: Any) -> Any:
    """Draw standard normal numbers in the order of `rsample`."""
    return torch.randn(shape, dtype=dtype)  # the same numbers as `torch.normal` of zeros and ones


def clamp_probs(probs: Any) -> Any:
    """Clamp probabilities away from 0 and 1 by eps of their dtype."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Return log p, or log p / (1 - p) of a single probability."""
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Return the softmax, or the sigmoid of a single logit."""
    return torch.sigmoid(logits) if is_binary else torch.softmax(logits, dim=-1)


def sum_rightmost(value: Any, dims: int) -> Any:
    """Return the sum over the last `dims` dimensions."""
    return value if not dims else value.reshape((*value.shape[: value.dim() - dims], -1)).sum(-1)


def vec_to_tril_matrix(vec: Any, diag: int = 0) -> Any:
    """Fill lower triangles row by row: (*, N) -> (*, D, D).

    `diag` is the last diagonal filled.  Raises ValueError if N fits no D.
    """
    size = vec._array.shape[-1]
    wide = (-(1 + 2 * diag) + math.sqrt((1 + 2 * diag) ** 2 + 8 * size + 4 * abs(diag) * (diag + 1))) / 2
    if abs(wide - round(wide)) > np.finfo(np.float64).eps * max(wide, 1):
        raise ValueError(
            f"The size of last dimension is {size} which cannot be expressed as the lower triangular part of a square "
            "D x D matrix."
        )
    rows, columns = np.tril_indices(round(wide), diag)
    matrix = vec.new_zeros((*vec._array.shape[:-1], round(wide), round(wide)))
    index = (..., wrap(rows, None), wrap(columns, None))
    matrix[index] = vec
    return matrix


def tril_matrix_to_vec(mat: Any, diag: int = 0) -> Any:
    """Return lower triangles row by row: (*, D, D) -> (*, N).

    `diag` is the last diagonal taken.  Raises ValueError if it is outside the matrix.
    """
    size = mat._array.shape[-1]
    if not -size <= diag < size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    rows, columns = np.tril_indices(size, diag)
    return mat[..., wrap(rows, None), wrap(columns, None)]


class cached:
    """Property that is computed once and then stored as an attribute."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with torch.enable_grad():
            value = instance.__dict__[self.name] = self.function(instance)
        return value


def one_matrix(covariance: Any, precision: Any, scale_tril: Any, kind: type[Exception]) -> tuple[str, Any]:
    """Return the name and value of the one matrix that describes a covariance; raise `kind` unless there is one."""
    given = {"covariance_matrix": covariance, "precision_matrix": precision, "scale_tril": scale_tril}
    matrices = [(name, value) for name, value in given.items() if value is not None]
    if len(matrices) != 1:
        raise kind("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
    return matrices[0]


def given_one(title: str, probs: Any, logits: Any) -> None:
    """Raise ValueError unless exactly one of the two is given."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


EULER = 0.57721566490153286060
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
