"""Random numbers written into a tensor: `normal_`, `uniform_`, ...

They are PyTorch's numbers for a random seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE, Op, camel
from dyncore.dtypes import dtypes
from dyncore.dtypes.supported import refusal
from dyncore.graph import events, versions
from dyncore.graph.modes import current
from dyncore.mutation.inplace import check_writable, rebase, touched
from dyncore.rng import samplers as sampling
from dyncore.rng.generator import generator_of
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.tensor import Tensor, storage

from .random import _check_span, _check_std, _floating, _probabilities, _whole


def _overload(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """Return the number of PyTorch's overload that the node's name ends in."""
    if name == "random":
        given = len(args) + len(kwargs)
        return 2 - given
    if name == "bernoulli":
        return 1 if any(isinstance(each, Tensor) for each in (*args, *kwargs.values())) else 2
    return 0


def _constant(given: tuple[Any, ...], name: str, number: int) -> Any:
    """Return the edge of a tensor overwritten with numbers: its gradients are 0.

    given: the tensor, and the parameters of the numbers.  Returns None if none of them has a history.
    """
    tensors = [each for each in given if isinstance(each, Tensor)]
    if not current().grad or all(each._edge is None for each in tensors):
        return None
    first, second = (*tensors, None)[:2]
    return TABLE["drawn"].entry(first, first, second, f"{camel(name)}Backward{number}")._edge


def _written(fill: Callable[..., Any]) -> Callable[..., Any]:
    """Make the method that fills a tensor with `fill(array, ..., generator)`.

    The numbers go to the elements in the order of memory.
    """
    op = Op(fill, {}, name=fill.__name__.strip("_"))

    def method(self: Tensor, *args: Any, generator: Any = None, **kwargs: Any) -> Tensor:
        started = events.now()
        check_writable(self, args, kwargs)
        target = storage(self)
        if target.__class__ is MetaArray:
            return self
        versions.before_write(target)
        values = fill(target, *args, generator=generator_of(generator), **kwargs)
        if not target.flags.c_contiguous and target.ndim > 1:
            target = target.transpose(sorted(range(target.ndim), key=lambda axis: -target.strides[axis]))
        target[...] = values.reshape(target.shape)
        touched(self)
        rebase(self, _constant((self, *args, *kwargs.values()), op.name, _overload(op.name, args, kwargs)))
        if events.listener is not None:
            events.listener.op(op, (self, *args), {**kwargs, "_inplace": True}, self, started, events.now())
        return self

    method.__name__ = method.__qualname__ = fill.__name__
    method.__doc__ = fill.__doc__
    return method


def uniform_(input, from_: float = 0.0, to: float = 1.0, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with numbers drawn uniformly from [from, to)."""
    _floating(input.dtype, "check_uniform_bounds")
    if from_ > to:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={from_:g} > to={to:g}")
    return sampling.uniform(input.size, input.dtype, float(from_), float(to), generator)


def normal_(input, mean: float = 0.0, std: float = 1.0, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with normally distributed numbers."""
    _check_std(float(std))
    _floating(input.dtype, "normal_kernel_cpu")
    return sampling.normal(input.size, input.dtype, float(mean), float(std), generator, bool(input.flags.c_contiguous))


def bernoulli_(input, p: Any = 0.5, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with ones with probability `p`, a number or a tensor, else zeros."""
    if isinstance(p, Tensor):
        p = np.broadcast_to(_probabilities(p._array).reshape(p._array.shape), input.shape).ravel()
    elif not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    return sampling.bernoulli(input.size, p, generator)


def exponential_(input, lambd: float = 1.0, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with waiting times at rate `lambd`."""
    if not lambd > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if input.dtype.kind != "f":
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {dtypes.of(input.dtype).title}"
        )
    return sampling.exponential(input.size, input.dtype, lambd, generator)


def geometric_(input, p: float, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with numbers of trials of probability `p` until the first success."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    return sampling.geometric(input.size, input.dtype, p, generator)


def cauchy_(input, median: float = 0.0, sigma: float = 1.0, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with Cauchy distributed numbers."""
    if not sigma > 0.0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if input.dtype.kind != "f":
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {dtypes.in_c(input.dtype)}"
        )
    return sampling.cauchy(input.size, input.dtype, median, sigma, generator)


def log_normal_(input, mean: float = 1.0, std: float = 2.0, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with exponentials of normally distributed numbers."""
    if not std > 0.0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    if input.dtype.kind != "f":
        raise refusal("log_normal_cpu", input.dtype)
    return sampling.log_normal(input.size, input.dtype, mean, std, generator)


def random_(input, from_: Any = None, to: Any = None, *, generator: Any):  # type: ignore[no-untyped-def]
    """Fill with integers from [from, to), or from [0, to) if one bound is given.

    Without bounds, from 0 up to the largest number that the dtype holds exactly.
    """
    if from_ is None and to is None:
        return sampling.any_integers(input.size, input.dtype, generator)
    if not all(each is None or _whole(each) for each in (from_, to)):
        shown = ", ".join(type(each).__name__ for each in ((from_,) if to is None else (from_, to)))
        raise TypeError(
            f"random_() received an invalid combination of arguments - got ({shown}), but expected one of:\n"
            " * (*, Generator generator = None)\n * (int from, int to, *, Generator generator = None)\n"
            " * (int to, *, Generator generator = None)"
        )
    low, high = (0, int(from_)) if to is None else (int(from_ or 0), int(to))
    _check_span(low, high, input.dtype)
    return sampling.integers(input.size, input.dtype, low, high, generator)


METHODS: dict[str, Any] = {
    each.__name__: _written(each)
    for each in (uniform_, normal_, bernoulli_, exponential_, geometric_, cauchy_, log_normal_, random_)
}
