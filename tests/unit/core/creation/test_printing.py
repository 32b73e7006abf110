"""Tensors print character for character as PyTorch prints them."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore.creation.printing import get_printoptions, set_printoptions
from dyncore.dispatch.results import return_type
from dyncore.dtypes import dtypes

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

DTYPES = [each.name for each in dtypes.ALL]
FLOATS = ["float16", "float32", "float64", "complex64", "complex128"]
SPECIAL = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0]


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    """Leaves the print options as PyTorch has them at first."""
    yield
    set_printoptions(profile="default")
    dyncore.set_default_dtype(dyncore.float32)


# -- against PyTorch


@pytest.mark.whole
@needs_torch
@pytest.mark.parametrize("dtype", DTYPES)
def test_random_tensors_print_alike(dtype: str) -> None:
    """Every dtype, 0 to 4 dimensions, magnitudes from 1e-9 to 1e12, whole and broken numbers, NaN, infinities."""
    chance = random.Random(dtype)
    for _ in range(250):
        compare(an_array(chance, dtype))


@pytest.mark.whole
@needs_torch
@pytest.mark.parametrize("options", [
    {"precision": 2}, {"precision": 8}, {"precision": 0}, {"threshold": 5}, {"threshold": 3, "edgeitems": 1},
    {"edgeitems": 0, "threshold": 2}, {"linewidth": 20}, {"linewidth": 200}, {"sci_mode": True}, {"sci_mode": False},
    {"profile": "short"}, {"profile": "full"}, {"profile": "short", "precision": 6},
])  # fmt: skip
def test_options_print_alike(options: dict[str, Any]) -> None:
    """`set_printoptions` changes what PyTorch's changes."""
    import torch

    chance = random.Random(str(options))
    torch.set_printoptions(**options)
    set_printoptions(**options)
    try:
        assert torch._tensor_str.get_printoptions() == get_printoptions()
        for _ in range(120):
            compare(an_array(chance, chance.choice(["float32", "float64", "int64", "bool", "complex64"])))
    finally:
        torch.set_printoptions(profile="default")


@needs_torch
@pytest.mark.parametrize(
    "shape", [(1001,), (7, 200), (200, 7), (7, 7, 40), (2, 2, 600), (3, 1000, 2), (1000, 1, 1), (5, 5, 5, 10)]
)
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64", "float16"])
def test_large_tensors_are_cut_alike(shape: tuple[int, ...], dtype: str) -> None:
    """The width and style come from what is shown alone."""
    source = np.random.default_rng(len(shape))
    array = (source.normal(size=shape) * 10.0 ** source.integers(-3, 4)).astype(dtype)
    compare(array)
    compare(np.arange(array.size).reshape(shape).astype(dtype))


@needs_torch
def test_history_prints_alike() -> None:
    """`grad_fn=<...>` and `requires_grad=True`, on the same line while they fit."""
    import torch

    for length in range(1, 30):
        for expression in (
            "x",
            "x * 2",
            "x.sum()",
            "x.exp().double()",
            "(x @ x).sqrt()",
            "x.unsqueeze(0).expand(2, -1)",
        ):
            texts = []
            for t in (torch, dyncore):
                x = (t.arange(length) * 0.25 + 0.25).requires_grad_()
                texts.append(repr(eval(expression, {"x": x})))
            assert texts[0] == texts[1]


@needs_torch
def test_default_dtype_decides_what_is_named() -> None:
    """With float64 as default, float32 is named and float64 is not."""
    import torch

    torch.set_default_dtype(torch.float64)
    dyncore.set_default_dtype(dyncore.float64)
    try:
        for dtype in DTYPES:
            compare(np.ones(2, dtype))
            compare(np.ones((0, 3), dtype))
    finally:
        torch.set_default_dtype(torch.float32)


def compare(array: np.ndarray[Any, Any]) -> None:
    """Both engines print the array alike, and its str and its 0-d format too."""
    import torch

    expected, found = torch.from_numpy(array), dyncore.from_numpy(array)
    assert repr(expected) == repr(found)
    assert str(expected) == str(found)
    if not array.ndim and array.dtype.kind in "fi":
        assert f"{expected:.3f}" == f"{found:.3f}"


def an_array(chance: random.Random, dtype: str) -> np.ndarray[Any, Any]:
    """An array of one of many kinds."""
    shape = tuple(chance.choice([0, 1, 1, 2, 3, 4, 5, 11]) for _ in range(chance.randrange(4)))
    if chance.random() < 0.05:
        shape = (2, 1, 2, 3)
    count = int(np.prod(shape))
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = [chance.random() < 0.5 for _ in range(count)]
    elif kind in "iu":
        limits = np.iinfo(dtype)
        top = chance.choice([3, 100, limits.max])
        values = [chance.randint(max(limits.min, -top), top) for _ in range(count)]
    else:
        values = [a_number(chance, kind == "c") for _ in range(count)]
    with np.errstate(all="ignore"):
        return np.array(values, object).astype(dtype).reshape(shape) if count else np.zeros(shape, dtype)


def a_number(chance: random.Random, is_complex: bool) -> Any:
    """A float, or a complex number of two: whole, broken, tiny, large or special, by one draw for a whole tensor."""
    if is_complex:
        return complex(a_number(chance, False), a_number(chance, False))
    kind = chance.random()
    if kind < 0.08:
        return chance.choice(SPECIAL)
    if kind < 0.4:
        return float(chance.randint(-20, 20))
    if kind < 0.9:
        return chance.gauss(0, 1)
    return chance.gauss(0, 1) * 10.0 ** chance.randint(-9, 12)


# -- golden, without PyTorch


GOLDEN = [
    ("tensor([1., 2.])", "t.tensor([1.0, 2])"),
    ("tensor(3)", "t.tensor(3)"),
    ("tensor(1.5000)", "t.tensor(1.5)"),
    ("tensor(True)", "t.tensor(True)"),
    ("tensor([ True, False])", "t.tensor([True, False])"),
    ("tensor([])", "t.tensor([])"),
    ("tensor([], size=(2, 0))", "t.zeros(2, 0)"),
    ("tensor([], dtype=torch.int64)", "t.tensor([], dtype=t.int64)"),
    ("tensor([1, 2], dtype=torch.int32)", "t.tensor([1, 2], dtype=t.int32)"),
    ("tensor([1.+2.j])", "t.tensor([1 + 2j])"),
    ("tensor([0.5000-0.2500j, 1.0000+3.0000j])", "t.tensor([0.5 - 0.25j, 1 + 3j])"),
    ("tensor([1.0000e+00, 4.0000e+05])", "t.tensor([1.0, 4e5]) "),
    ("tensor([1.0000e-05])", "t.tensor([1e-5])"),
    ("tensor([   nan, 1.5000,   -inf])", "t.tensor([float('nan'), 1.5, -float('inf')])"),
    ("tensor([nan, 1., inf])", "t.tensor([float('nan'), 1.0, float('inf')])"),
    ("tensor([[1.5000],\n        [2.0000]], dtype=torch.float64)", "t.tensor([[1.5], [2]], dtype=t.float64)"),
    ("tensor([[[1]],\n\n        [[2]]])", "t.tensor([[[1]], [[2]]])"),
    ("tensor([   0,    1,    2,  ..., 1998, 1999, 2000])", "t.arange(2001)"),
    ("tensor([1.], requires_grad=True)", "t.ones(1, requires_grad=True)"),
    ("tensor([2.], grad_fn=<MulBackward0>)", "t.ones(1, requires_grad=True) * 2"),
    ("torch.Size([2, 3])", "t.zeros(2, 3).shape"),
    ("torch.float32", "t.zeros(1).dtype"),
    ("device(type='cpu')", "t.zeros(1).device"),
    ("torch.strided", "t.zeros(1).layout"),
    ("torch.return_types.max(\nvalues=tensor([2., 3.]),\nindices=tensor([1, 0]))",
     "t.return_types_max((t.tensor([2.0, 3.0]), t.tensor([1, 0])))"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expression"), GOLDEN)
def test_golden(text: str, expression: str) -> None:
    """What PyTorch 2.13 prints, written down."""
    names = {**vars(dyncore), "return_types_max": return_type("max", ("values", "indices"))}
    assert text == repr(
        eval(expression, {"t": type("t", (), {k: staticmethod(v) if callable(v) else v for k, v in names.items()})})
    )


def test_parameter_says_so() -> None:
    """A parameter prints as one."""
    from dyncore.nn import Parameter

    assert "Parameter containing:\ntensor([1., 1.], requires_grad=True)" == repr(Parameter(dyncore.ones(2)))


def test_formats_of_a_number() -> None:
    """A 0-d tensor takes the format of its number, as in an f-string."""
    assert "0.50" == f"{dyncore.tensor(0.5):.2f}"
    assert "  3" == f"{dyncore.tensor(3):3d}"
    with pytest.raises(TypeError, match="unsupported format string"):
        f"{dyncore.ones(2):.2f}"


def test_return_type_is_a_tuple_with_names() -> None:
    """It unpacks, indexes and names its fields."""
    made = return_type("max", ("values", "indices"))((1, 2))
    assert (1, 2) == made
    assert (1, 2) == (made.values, made.indices)
    with pytest.raises(TypeError, match="2-sequence"):
        return_type("max", ("values", "indices"))((1,))


def test_options_are_restored_after_a_block() -> None:
    """`printoptions` is for a block."""
    before = get_printoptions()
    with dyncore.printoptions(precision=1):
        assert "tensor([0.8])" == repr(dyncore.tensor([0.75]))
    assert before == get_printoptions()
