"""`biject_to` and `transform_to`: transforms from all reals to a constraint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import constraints, transforms
from .constraints import Constraint
from .transforms import Transform

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

Factory = Callable[[Any], Transform]


class ConstraintRegistry:
    """Table of functions that make a transform for a constraint, by its class."""

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Register `factory` for a class of constraints, or for that of an instance.

        Without `factory`, return a decorator.
        """
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Transform:
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()
_BOTH = (biject_to, transform_to)


def _interval(constraint: Any) -> Transform:
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


def _from(bound: str, sign: int) -> Factory:
    """Return the factory of transforms to numbers above a bound, or below for -1."""
    return lambda constraint: transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(getattr(constraint, bound), sign)]
    )


for _registry in _BOTH:

    def _each(constraint: Any, registry: ConstraintRegistry = _registry) -> list[Transform]:
        return [registry(each) for each in constraint.cseq]

    def _independent(constraint: Any, registry: ConstraintRegistry = _registry) -> Transform:
        base = registry(constraint.base_constraint)
        return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)

    def _cat(constraint: Any, each: Any = _each) -> Transform:
        return transforms.CatTransform(each(constraint), constraint.dim, constraint.lengths)

    def _stack(constraint: Any, each: Any = _each) -> Transform:
        return transforms.StackTransform(each(constraint), constraint.dim)

    _registry.register(constraints.real, lambda constraint: transforms.identity_transform)
    _registry.register(constraints.independent, _independent)
    _registry.register(constraints.greater_than, _from("lower_bound", 1))
    _registry.register(constraints.greater_than_eq, _from("lower_bound", 1))
    _registry.register(constraints.less_than, _from("upper_bound", -1))
    _registry.register(constraints.interval, _interval)
    _registry.register(constraints.half_open_interval, _interval)
    _registry.register(constraints.corr_cholesky, lambda constraint: transforms.CorrCholeskyTransform())
    _registry.register(constraints.cat, _cat)
    _registry.register(constraints.stack, _stack)

biject_to.register(constraints.simplex, lambda constraint: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda constraint: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda constraint: transforms.PositiveDefiniteTransform())
