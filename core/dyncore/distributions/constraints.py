"""Constraints: sets that parameters and samples must lie in."""

from __future__ import annotations

from typing import Any

import dyncore as torch

__dyncore__ = True


class Constraint:
    """A set of values; `check` answers which elements, or events of `event_dim` dimensions, lie in it."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        return type(self).__name__.removeprefix("_") + "()"


class _Real(Constraint):
    def check(self, value: Any) -> Any:
        return value == value


class _Dependent(Constraint):
    """A constraint that other parameters decide; never checked."""

    def check(self, value: Any) -> Any:
        raise ValueError("Cannot determine validity of dependent constraint")


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value == 0) | (value == 1)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value: Any) -> Any:
        return torch.all(value >= 0, dim=-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


class _LowerCholesky(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        lower = (value.tril() == value).flatten(-2).all(-1)
        return lower & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _PositiveDefinite(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        symmetric = torch.isclose(value, value.transpose(-2, -1), atol=1e-6).flatten(-2).all(-1)
        return symmetric & (torch.linalg.eigvalsh(value.detach()) > 0).all(-1)


class _Bounded(Constraint):
    """Numbers between bounds; the names of the bounds are those of the constructor."""

    names: tuple[str, ...] = ()

    def __init__(self, *bounds: Any) -> None:
        self.bounds = bounds
        for name, bound in zip(self.names, bounds, strict=True):
            setattr(self, name, bound)

    def __repr__(self) -> str:
        pairs = ", ".join(f"{name}={bound}" for name, bound in zip(self.names, self.bounds, strict=True))
        return f"{type(self).__name__.removeprefix('_')}({pairs})"


class _GreaterThan(_Bounded):
    names = ("lower_bound",)

    def check(self, value: Any) -> Any:
        return self.bounds[0] < value


class _GreaterThanEq(_Bounded):
    names = ("lower_bound",)

    def check(self, value: Any) -> Any:
        return self.bounds[0] <= value


class _LessThan(_Bounded):
    names = ("upper_bound",)

    def check(self, value: Any) -> Any:
        return value < self.bounds[0]


class _Interval(_Bounded):
    names = ("lower_bound", "upper_bound")

    def check(self, value: Any) -> Any:
        return (self.bounds[0] <= value) & (value <= self.bounds[1])


class _IntegerInterval(_Bounded):
    is_discrete = True
    names = ("lower_bound", "upper_bound")

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (self.bounds[0] <= value) & (value <= self.bounds[1])


class _IntegerGreaterThan(_Bounded):
    is_discrete = True
    names = ("lower_bound",)

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (value >= self.bounds[0])


class _Multinomial(Constraint):
    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Any) -> Any:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


class _IndependentConstraint(Constraint):
    """A constraint on every element of an event."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        result = self.base_constraint.check(value)
        if result.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        kept = result.dim() - self.reinterpreted_batch_ndims
        return result.reshape((*result.shape[:kept], -1)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


real, boolean, simplex, one_hot = _Real(), _Boolean(), _Simplex(), _OneHot()
lower_cholesky, positive_definite, dependent = _LowerCholesky(), _PositiveDefinite(), _Dependent()
positive, nonnegative, unit_interval = _GreaterThan(0.0), _GreaterThanEq(0.0), _Interval(0.0, 1.0)
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
greater_than, greater_than_eq, less_than, interval = _GreaterThan, _GreaterThanEq, _LessThan, _Interval
integer_interval, independent, multinomial = _IntegerInterval, _IndependentConstraint, _Multinomial
real_vector = independent(real, 1)
