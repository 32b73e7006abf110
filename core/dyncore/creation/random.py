"""Random tensors: `manual_seed`, `rand`, `randn`, ...

They have PyTorch's numbers for a random seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.dtypes.supported import refusal
from dyncore.errors.explain import missing_in
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.graph.modes import current
from dyncore.rng import samplers as sampling
from dyncore.rng.generator import Generator, default_generator, generator_of
from dyncore.tensors.tensor import Tensor

from .factory import factory, like, shape_of


def manual_seed(seed: Any) -> Generator:
    """Start the default generator again from `seed`, and return it."""
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Start the default generator from an unpredictable seed, and return the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed that the default generator was started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the default generator's state as bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Set the default generator to a state from `get_rng_state`."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, device_type: str = "cpu") -> Iterator[None]:
    """Restore the default generator after the block."""
    state = default_generator.get_state() if enabled else None
    try:
        yield
    finally:
        if state is not None:
            default_generator.set_state(state)


# -- tensors of random numbers


def _sizes(name: str, size: Any, given: Any) -> tuple[int, ...]:
    return shape_of(size if given is None else (given,), name)


def _count(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


def _floating(dtype: Any, kernel: str) -> Any:
    dtype = dtypes.get_default_dtype().numpy if dtype is None else np.dtype(dtype)
    if dtype.kind not in "fc":
        raise refusal(kernel, dtype)
    return dtype


@factory
def rand(*args: Any, size: Any = None, generator: Any = None, dtype: Any = None) -> Any:
    """Return numbers drawn uniformly from [0, 1)."""
    shape = _sizes("rand", args, size)
    dtype = _floating(dtype, "check_uniform_bounds")
    return sampling.uniform(_count(shape), dtype, generator=generator_of(generator)).reshape(shape)


@factory
def randn(*args: Any, size: Any = None, generator: Any = None, dtype: Any = None, _contiguous: bool = True) -> Any:
    """Return numbers of the standard normal distribution."""
    shape = _sizes("randn", args, size)
    dtype = _floating(dtype, "normal_kernel_cpu")
    source = generator_of(generator)
    return sampling.normal(_count(shape), dtype, generator=source, contiguous=_contiguous).reshape(shape)


@factory
def randint(
    *args: Any, low: Any = 0, high: Any = None, size: Any = None, generator: Any = None, dtype: Any = None
) -> Any:
    """Return integers from `low` to `high` - 1.

    Called as `randint(high, size)` or `randint(low, high, size)`.
    """
    given = list(args)
    if size is None:
        if not given or not isinstance(given[-1], (tuple, list)):
            raise TypeError("randint() needs a size: a tuple of ints, as in `randint(10, (3,))`")
        size = given.pop()
    if len(given) == 2:
        low, high = given
    elif given:
        low, high = (low, given[0]) if high is None else (given[0], high)
    if not all(_whole(each) for each in (low, high)):
        kinds = [type(each).__name__ for each in (*given, tuple(size))]
        shown = ", ".join(kinds if dtype is None else [*kinds, "dtype=torch.dtype"])
        raise TypeError(
            f"randint() received an invalid combination of arguments - got ({shown}), but expected one of:\n"
            " * (int high, tuple of ints size)\n * (int low, int high, tuple of ints size)"
        )
    shape = shape_of((size,), "randint")
    low, high = int(low), int(high)
    kind = np.dtype(np.int64 if dtype is None else dtype)
    _check_span(low, high, kind)
    return sampling.integers(_count(shape), kind, low, high, generator_of(generator)).reshape(shape)


def _whole(number: Any) -> bool:
    """Return True if a bound is an integer, or a tensor or NumPy scalar holding one."""
    return number.__class__ is int or (not isinstance(number, bool) and hasattr(number, "__index__"))


def _check_span(low: int, high: int, dtype: np.dtype[Any]) -> None:
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype is dtypes.I64 and -(2**63) <= low < high <= 2**63:
        return  # the usual case, without asking NumPy for bounds
    if dtype.kind in "iub":
        least, most = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
        word = _C_NAMES.get(dtype.name, dtype.name)
        if not least <= low <= most:
            raise RuntimeError(f"from is out of bounds for {word}")
        if not least <= high - 1 <= most:
            raise RuntimeError(f"to - 1 is out of bounds for {word}")


_C_NAMES = {"uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long"}


@factory
def randperm(n: int, *, generator: Any = None, dtype: Any = None) -> Any:
    """Return the integers below `n` in random order."""
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    return np.array(sampling.permutation(int(n), generator_of(generator)), dtype or np.int64)


def _recorded(title: str) -> Callable[[Any], Any]:
    """Record draws as ops of the parameters that require grad.

    title: the start of the node's name.  The derivative is PyTorch's: 0, or an error.
    """

    def wrap_one(make: Any) -> Any:
        def draw(*args: Any, **kwargs: Any) -> Any:
            drawn = make(*args, **kwargs)
            first = args[0] if args else kwargs.get("mean", kwargs.get("input", kwargs.get("count")))
            second = args[1] if len(args) > 1 else kwargs.get("std", kwargs.get("prob"))
            tensors = [isinstance(each, Tensor) for each in (first, second)]
            if (
                current().grad
                and kwargs.get("out") is None
                and any(isinstance(each, Tensor) and each._edge is not None for each in (first, second))
            ):
                number = tensors[0] + 2 * tensors[1] if title == "Normal" else 0
                called = f"{title}Backward{number}"
                if title == "Binomial" or (title == "Bernoulli" and (second is not None or "p" in kwargs)):
                    called = f"aten::{title.lower()}"
                drawn = TABLE["drawn"].entry(drawn, first, second, called)
            return drawn

        draw.__name__ = draw.__qualname__ = make.__name__
        draw.__doc__ = make.__doc__
        draw.__module__ = "dyncore"
        return draw

    return wrap_one


@_recorded("Normal")
@factory
def normal(mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, dtype: Any = None) -> Any:
    """Return normally distributed numbers.

    `mean` and `std` are tensors that broadcast, or numbers with `size`.
    """
    source = generator_of(generator)
    if size is not None:
        shape = shape_of((size,), "normal")
        kind = _floating(dtype, "normal_kernel_cpu")
        _check_std(float(std))
        return sampling.normal(_count(shape), kind, float(mean), float(std), source).reshape(shape)
    tensors = [each._array for each in (mean, std) if isinstance(each, Tensor)]
    if not tensors:
        raise TypeError("normal() needs a size when mean and std are numbers: `normal(0.0, 1.0, (3,))`")
    if isinstance(std, Tensor) and (std._array < 0).any():
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if not isinstance(std, Tensor):
        _check_std(float(std))
    kind = tensors[0].dtype
    shape = np.broadcast_shapes(*(each.shape for each in tensors))
    numbers = sampling.normal(_count(shape), kind, generator=source).reshape(shape)
    centre, spread = (each._array if isinstance(each, Tensor) else kind.type(each) for each in (mean, std))
    return (numbers * spread + centre).astype(kind)


def _check_std(std: float) -> None:
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


@_recorded("Bernoulli")
@factory
def bernoulli(input: Any, p: Any = None, *, generator: Any = None, dtype: Any = None) -> Any:
    """Return ones with probability `p`, or with those in `input`; else zeros."""
    array = np.asarray(input._array)
    if p is None:
        p = _probabilities(array)
    return sampling.bernoulli(array.size, p, generator_of(generator)).reshape(array.shape).astype(array.dtype)


def _probabilities(array: Any) -> Any:
    if array.dtype.kind != "f":
        raise refusal("bernoulli_tensor_cpu_p_", array.dtype)
    if not ((array >= 0) & (array <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)"
        )
    return array.ravel()


@factory
def multinomial(
    input: Any, num_samples: int, replacement: bool = False, *, generator: Any = None, dtype: Any = None
) -> Any:
    """Return `num_samples` indices drawn with the weights of each row."""
    weights = np.asarray(input._array)
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind != "f":
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {dtypes.of(weights.dtype).title}"
        )
    if dtype is not None:  # that of `out`
        from dyncore.mutation import out_dtypes

        out_dtypes.check("multinomial", np.empty(0, np.int64), np.dtype(dtype))
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if weights.shape[-1] > 2**24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if not (np.isfinite(weights) & (weights >= 0)).all():
        one = weights.ndim == 1 and not replacement
        wrong = "< 0" if (weights < 0).any() else "= infinity or NaN"
        if replacement or num_samples > 1 and not one:
            raise RuntimeError(f"invalid multinomial distribution (encountering probability entry {wrong})")
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (weights.sum(-1) == 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    indices = sampling.categories(np.atleast_2d(weights), num_samples, replacement, generator_of(generator))
    return indices.reshape((*weights.shape[:-1], num_samples)).astype(np.int64)


@_recorded("Poisson")
@factory
def poisson(input: Any, generator: Any = None, *, dtype: Any = None) -> Any:
    """Return numbers of events, with the expected numbers in `input`."""
    from dyncore.rng.rejection import poisson as draw

    rates = np.asarray(input._array)
    if rates.dtype.kind != "f":
        raise refusal("poisson_cpu", rates.dtype)
    if (rates < 0).any():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return np.array(draw(rates.ravel().tolist(), generator_of(generator)), rates.dtype).reshape(rates.shape)


@_recorded("Binomial")
@factory
def binomial(count: Any, prob: Any, generator: Any = None, *, dtype: Any = None) -> Any:
    """Return numbers of successes in `count` trials of probability `prob`."""
    from dyncore.rng.rejection import binomial as draw

    counts, chances = np.broadcast_arrays(count._array, prob._array)
    numbers = draw(counts.ravel().tolist(), chances.ravel().tolist(), generator_of(generator))
    return np.array(numbers, counts.dtype).reshape(counts.shape)


@capture_as(REPLAYED)
def _randint_of(shape: tuple[int, ...], *bounds: Any, **kwargs: Any) -> Any:
    """Call `randint` with the shape first, then `(high)` or `(low, high)`."""
    return randint(*bounds, size=shape, **kwargs)


_randint_of.__name__ = "randint"
rand_like, randn_like, randint_like = like(rand), like(randn, _contiguous=False), like(_randint_of)


METHODS: dict[str, Any] = {"bernoulli": bernoulli, "multinomial": multinomial}

__all__ = [
    "Generator", "bernoulli", "binomial", "default_generator", "fork_rng", "get_rng_state", "initial_seed",
    "manual_seed", "multinomial", "normal", "poisson", "rand", "rand_like", "randint", "randint_like", "randn",
    "randn_like", "randperm", "seed", "set_rng_state",
]  # fmt: skip


__getattr__ = missing_in(__name__, "torch.random")
