"""Constraints: sets that parameters and samples must lie in."""

from __future__ import annotations

from typing import Any

import dyncore as torch
from dyncore.errors.explain import missing_in


class Constraint:
    """Set of values.

    `check` returns which elements, or events of `event_dim` dimensions, lie in it.
    """

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
    """Constraint that depends on other parameters; never checked."""

    def __init__(self, *, is_discrete: bool | None = None, event_dim: int | None = None) -> None:
        self._known = {"is_discrete": is_discrete, "event_dim": event_dim}
        super().__init__()

    def _static(self, name: str) -> Any:
        if self._known[name] is None:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return self._known[name]

    is_discrete = property(lambda self: self._static("is_discrete"))
    event_dim = property(lambda self: self._static("event_dim"))

    def __call__(self, *, is_discrete: bool | None = None, event_dim: int | None = None) -> _Dependent:
        """Return the same constraint with the given facts set."""
        given = {"is_discrete": is_discrete, "event_dim": event_dim}
        return _Dependent(**{name: self._known[name] if value is None else value for name, value in given.items()})  # type: ignore[arg-type]

    def check(self, value: Any) -> Any:
        raise ValueError("Cannot determine validity of dependent constraint")


class _DependentProperty(property, _Dependent):
    """Property of a distribution that is a constraint; on the class a dependent one."""

    def __init__(self, function: Any = None, *, is_discrete: bool | None = None, event_dim: int | None = None) -> None:
        property.__init__(self, function)
        self._known = {"is_discrete": is_discrete, "event_dim": event_dim}

    def __call__(self, function: Any) -> Any:  # type: ignore[override]
        return _DependentProperty(function, **self._known)  # type: ignore[arg-type]


def is_dependent(constraint: Any) -> bool:
    """Return True if a constraint depends on other parameters."""
    return isinstance(constraint, _Dependent)


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


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        return (value.tril() == value).flatten(-2).all(-1)


class _CorrCholesky(_LowerCholesky):
    """Lower Cholesky factors of correlations: rows of length 1."""

    def check(self, value: Any) -> Any:
        near = 10 * value.shape[-1] * torch.finfo(value.dtype).eps
        lengths = torch.linalg.vector_norm(value.detach(), dim=-1)
        return ((lengths - 1).abs() <= near).all(-1) & super().check(value)


class _Square(Constraint):
    event_dim = 2

    def check(self, value: Any) -> Any:
        return torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=torch.bool)


class _Symmetric(_Square):
    def check(self, value: Any) -> Any:
        square = super().check(value)
        if not square.all():
            return square
        return torch.isclose(value, value.mT, atol=1e-6).flatten(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value: Any) -> Any:
        symmetric = super().check(value)
        return symmetric & (torch.linalg.eigvalsh(value.detach()) >= 0).all(-1) if symmetric.all() else symmetric


class _PositiveDefinite(_Symmetric):
    def check(self, value: Any) -> Any:
        symmetric = super().check(value)
        return symmetric & (torch.linalg.eigvalsh(value.detach()) > 0).all(-1) if symmetric.all() else symmetric


class _Bounded(Constraint):
    """Numbers between bounds; the names of the bounds are those of the constructor."""

    names: tuple[str, ...] = ()

    def __init__(self, *bounds: Any, **named: Any) -> None:
        bounds = (*bounds, *(named.pop(name) for name in self.names[len(bounds) :] if name in named))
        if named or len(bounds) != len(self.names):
            raise TypeError(f"{type(self).__name__}() takes {' and '.join(self.names)}")
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


class _HalfOpenInterval(_Bounded):
    names = ("lower_bound", "upper_bound")

    def check(self, value: Any) -> Any:
        return (self.bounds[0] <= value) & (value < self.bounds[1])


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


class _IntegerLessThan(_Bounded):
    is_discrete = True
    names = ("upper_bound",)

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (value <= self.bounds[0])


class _Multinomial(Constraint):
    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Any) -> Any:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


class _IndependentConstraint(Constraint):
    """Constraint on every element of an event."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        if not isinstance(base_constraint, Constraint):
            raise AssertionError(f"base_constraint must be a Constraint, got {type(base_constraint).__name__}")
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


class MixtureSameFamilyConstraint(Constraint):
    """Constraint of a mixture's components, on values without their dimension."""

    def __init__(self, base_constraint: Any) -> None:
        if not isinstance(base_constraint, Constraint):
            raise AssertionError(f"base_constraint must be a Constraint, got {type(base_constraint).__name__}")
        self.base_constraint = base_constraint
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim

    def check(self, value: Any) -> Any:
        """Return True where every component allows the value.

        Raises ValueError for a value with fewer dimensions than one event.
        """
        allowed = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return allowed.reshape((*allowed.shape[: value.dim() - self.event_dim], -1)).all(-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Parts(Constraint):
    """Constraints on parts of a value along `dim`."""

    def __init__(self, cseq: Any, dim: int = 0) -> None:
        if not all(isinstance(each, Constraint) for each in cseq):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.cseq, self.dim = list(cseq), dim
        self.is_discrete = any(each.is_discrete for each in self.cseq)


class _Cat(_Parts):
    """Constraints on slices of lengths `lengths` along `dim`."""

    def __init__(self, cseq: Any, dim: int = 0, lengths: Any = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")
        self.event_dim = max(each.event_dim for each in self.cseq)

    def check(self, value: Any) -> Any:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")
        parts = torch.split(value, self.lengths, self.dim)
        return torch.cat([each.check(part) for each, part in zip(self.cseq, parts, strict=True)], self.dim)


class _Stack(_Parts):
    """Constraint on each slice along `dim`."""

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        most = max(int(each.event_dim) for each in self.cseq)
        return most + 1 if self.dim + most < 0 else most

    def check(self, value: Any) -> Any:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")
        parts = torch.unbind(value, self.dim)
        return torch.stack([each.check(part) for each, part in zip(self.cseq, parts, strict=True)], self.dim)


real, boolean, simplex, one_hot = _Real(), _Boolean(), _Simplex(), _OneHot()
lower_cholesky, positive_definite, dependent = _LowerCholesky(), _PositiveDefinite(), _Dependent()
positive, nonnegative, unit_interval = _GreaterThan(0.0), _GreaterThanEq(0.0), _Interval(0.0, 1.0)
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
greater_than, greater_than_eq, less_than, interval = _GreaterThan, _GreaterThanEq, _LessThan, _Interval
integer_interval, independent, multinomial = _IntegerInterval, _IndependentConstraint, _Multinomial
half_open_interval, cat, stack, dependent_property = _HalfOpenInterval, _Cat, _Stack, _DependentProperty
lower_triangular, corr_cholesky, square, symmetric = _LowerTriangular(), _CorrCholesky(), _Square(), _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
real_vector = independent(real, 1)


__getattr__ = missing_in(__name__)
