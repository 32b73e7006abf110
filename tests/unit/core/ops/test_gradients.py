"""Every derivative agrees with a difference quotient, at first and second order; no PyTorch needed."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore.binding.lazy import load_all
from dyncore.dispatch.registry import TABLE
from tests.unit.core.ops.samples import calls_of, collect

STEP = 1e-6
SAMPLES, EXCUSED = collect()
load_all()
# A composite op has no derivative of its own: its parts are checked.
DIFFERENTIABLE = sorted({op.name for op in TABLE.values() if op.rules})


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_derivative_agrees_with_difference_quotient(name: str) -> None:
    """Along a fixed direction, gradient and gradient of the gradient equal the slopes of what they are of."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for call in calls_of(name, SAMPLES[name]):
            check(name, call)


def test_every_differentiable_op_has_a_sample() -> None:
    """A new derivative comes with a line in `tests/unit/core/ops/samples`."""
    wanted = {name for name in DIFFERENTIABLE if not TABLE[name].private and not name.startswith("_")}
    assert set() == wanted - set(SAMPLES) - EXCUSED


def test_power_of_zero_has_no_slope_by_exponents_from_zero_on() -> None:
    """0 log 0 is 0 there, as in PyTorch, and -inf below."""
    for base in (dyncore.zeros(3), 0):
        exponent = dyncore.tensor([0.0, 1.0, -1.0], requires_grad=True)
        (base**exponent).sum().backward()
        assert [0.0, 0.0, -math.inf] == exponent.grad.tolist()


@pytest.mark.whole
def test_gradients_are_partial_where_an_input_was_made_of_another() -> None:
    """With `create_graph` and without, each way to a leaf counts once, though one input leads to the next."""
    found = {}
    for name, sample in SAMPLES.items():
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for *args, kwargs in calls_of(name, sample):
                if len(leaves(args)) > 1 and not agree(name, args, kwargs):
                    found[name] = (*args, kwargs)
    assert {} == found


def agree(name: str, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether both kinds of backward find the same gradient of the input that the others are made of."""
    first, *rest = fresh(leaves(args))
    made = [first]
    for each in rest:
        push = (made[-1] * 0.37).sum()
        push = push - push.detach()
        made.append(each.detach() + (push.real if push.is_complex() and not each.is_complex() else push))
    outs = [o for o in floats(TABLE[name].entry(*rebuilt(args, made), **kwargs)) if o.requires_grad]
    if not outs:
        return True
    ones = [dyncore.ones_like(o) for o in outs]
    pair = [
        dyncore.autograd.grad(outs, [first], ones, create_graph=create, retain_graph=True, allow_unused=True)[0]
        for create in (False, True)
    ]
    if None in [each if each is None else 0 for each in pair]:
        return pair[0] is pair[1]
    return bool(dyncore.allclose(pair[0].detach(), pair[1].detach(), equal_nan=True))


def check(name: str, call: tuple[Any, ...]) -> None:
    *args, kwargs = call
    places = leaves(args)
    assert places, f"{name}: no tensor requires grad"

    def function(tensors: list[Any]) -> list[Any]:
        return floats(TABLE[name].entry(*rebuilt(args, tensors), **kwargs))

    seeds = [direction(out, 3 + number) for number, out in enumerate(function(places))]

    def gradient(tensors: list[Any], create: bool = False) -> list[Any]:
        *inputs, cotangents = tensors
        outs = function(inputs)
        pairs = [(o, c) for o, c in zip(outs, cotangents, strict=True) if o.requires_grad]
        if not pairs:
            return [i * 0 for i in inputs]
        found = dyncore.autograd.grad(
            [o for o, _ in pairs], inputs, [c for _, c in pairs], allow_unused=True, create_graph=create
        )
        return [i.detach() * 0 if g is None else g for i, g in zip(inputs, found, strict=True)]

    cotangents = [dyncore.tensor(s) for s in seeds]
    compare(name, function, places, gradient([*places, cotangents]), seeds)
    second(name, gradient, places, cotangents)


def second(name: str, gradient: Any, places: list[Any], cotangents: list[Any]) -> None:
    inputs = fresh(places)
    firsts = gradient([*inputs, cotangents], True)
    seeds = [direction(each, 11 + number) for number, each in enumerate(firsts)]
    pairs = [(f, dyncore.tensor(s)) for f, s in zip(firsts, seeds, strict=True) if f.requires_grad]
    if pairs:
        found = dyncore.autograd.grad([f for f, _ in pairs], inputs, [s for _, s in pairs], allow_unused=True)
        found = [i.detach() * 0 if g is None else g for i, g in zip(inputs, found, strict=True)]
    else:
        found = [i.detach() * 0 for i in inputs]
    compare(f"{name}, second order", lambda tensors: gradient([*tensors, cotangents]), places, found, seeds)


def compare(name: str, function: Any, inputs: list[Any], gradients: list[Any], seeds: list[Any]) -> None:
    """The slope of <seeds, function> along a direction is <gradients, direction>."""
    directions = [direction(each, 23 + number) for number, each in enumerate(inputs)]

    def along(step: float) -> Any:
        moved = [dyncore.tensor(i._array + step * d).requires_grad_() for i, d in zip(inputs, directions, strict=True)]
        return [np.sum(np.conj(s) * o._array).real for s, o in zip(seeds, function(moved), strict=True)]

    slope = sum((a - b) / (2 * STEP) for a, b in zip(along(STEP), along(-STEP), strict=True))
    expected = sum(np.sum(np.conj(g._array) * d).real for g, d in zip(gradients, directions, strict=True))
    assert np.isclose(slope, expected, rtol=2e-4, atol=2e-4), f"{name}: slope {slope}, gradient {expected}"


def direction(like: Any, seed: int) -> Any:
    generator = np.random.default_rng(seed)
    shape = like._array.shape
    real = generator.standard_normal(shape)
    return real + 1j * generator.standard_normal(shape) if like._array.dtype.kind == "c" else real


def floats(result: Any) -> list[Any]:
    outs = result if isinstance(result, (tuple, list)) else (result,)
    return [o for o in outs if isinstance(o, dyncore.Tensor) and o._array.dtype.kind in "fc"]


def leaves(args: Any) -> list[Any]:
    found: list[Any] = []
    for each in args:
        if isinstance(each, dyncore.Tensor) and each.requires_grad:
            found.append(each)
        elif isinstance(each, (list, tuple)):
            found.extend(leaves(each))
    return found


def fresh(tensors: list[Any]) -> list[Any]:
    return [dyncore.tensor(t._array).requires_grad_() for t in tensors]


def rebuilt(args: Any, tensors: list[Any]) -> list[Any]:
    """The arguments with their differentiable tensors replaced, in order."""
    waiting = iter(tensors)

    def swap(each: Any) -> Any:
        if isinstance(each, dyncore.Tensor) and each.requires_grad:
            return next(waiting)
        return type(each)([swap(v) for v in each]) if isinstance(each, (list, tuple)) else each

    return [swap(each) for each in args]


@pytest.mark.parametrize("name", ["relu", "relu6", "hardtanh", "threshold", "hardshrink", "softshrink", "hardsigmoid"])
def test_an_infinite_gradient_ends_where_an_activation_is_flat(name: str) -> None:
    """`log(relu(x))` has the gradient 0 at -1, not NaN."""
    x = dyncore.tensor([-9.0, 0.0], dtype=dyncore.float64, requires_grad=True)
    function = getattr(dyncore.nn.functional, name)
    y = function(x, 0.5, 0.0) if name == "threshold" else function(x)
    y.backward(dyncore.full((2,), dyncore.inf, dtype=dyncore.float64))
    flat = y.detach() == function(x.detach() - 1e-3, *((0.5, 0.0) if name == "threshold" else ()))
    assert [0.0] * int(flat.sum()) == x.grad[flat].tolist()
    assert not x.grad.isnan().any()


@pytest.mark.parametrize(
    "rows", [[[1, 2, 3], [2, 4, 6], [0, 1, 5]], [[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[1, 1j], [1j, -1]]]
)
def test_gradient_of_a_singular_determinant_is_its_cofactors(rows: list[list[complex]]) -> None:
    """A sum of products without the element itself: that of conjugates, where numbers are complex."""
    matrix = np.array(rows, complex if np.iscomplexobj(rows) else float)
    minors = [
        [np.linalg.det(np.delete(np.delete(matrix, row, 0), column, 1)) for column in range(len(rows))]
        for row in range(len(rows))
    ]
    signs = (-1) ** np.add.outer(np.arange(len(rows)), np.arange(len(rows)))
    leaf = dyncore.tensor(matrix, requires_grad=True)
    (gradient,) = dyncore.autograd.grad(dyncore.linalg.det(leaf), leaf, dyncore.ones((), dtype=leaf.dtype))
    np.testing.assert_allclose(gradient.numpy(), (signs * minors).conj(), atol=1e-12)
