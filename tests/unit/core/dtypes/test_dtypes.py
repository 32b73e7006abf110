"""Dtypes promote, cast and print as PyTorch's, compared by brute force."""

from __future__ import annotations

import importlib.util
import itertools
import warnings
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore.dtypes import dtypes

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
NAMES = [each.name for each in dtypes.ALL]
# PyTorch promotes no unsigned type wider than a byte.
PROMOTED = [name for name in NAMES if name not in ("uint16", "uint32", "uint64")]
NUMBERS = [True, 2, 2.5, 1 + 2j]


def operands(t: Any, name: str) -> list[Any]:
    """A tensor with dimensions and a 0-d one."""
    return [t.ones(2, dtype=getattr(t, name)), t.ones((), dtype=getattr(t, name))]


@needs_torch
def test_result_types_by_brute_force() -> None:
    """Every pair of dtypes, with and without dimensions, and every dtype with every kind of Python number."""
    import torch

    wrong = []
    for first, second in itertools.product(PROMOTED, PROMOTED):
        assert str(torch.promote_types(getattr(torch, first), getattr(torch, second))) == str(
            dyncore.promote_types(getattr(dyncore, first), getattr(dyncore, second))
        )
        pairs = [itertools.product(operands(t, first), operands(t, second)) for t in (torch, dyncore)]
        for (a, b), (c, d) in zip(*pairs, strict=True):
            if str(torch.result_type(a, b)) not in (str(dyncore.result_type(c, d)), "torch.complex32"):
                wrong.append((first, a.ndim, second, b.ndim))
    for name, number in itertools.product(PROMOTED, NUMBERS):
        for a, c in zip(operands(torch, name), operands(dyncore, name), strict=True):
            if str(torch.result_type(a, number)) not in (str(dyncore.result_type(c, number)), "torch.complex32"):
                wrong.append((name, a.ndim, number))
    assert [] == wrong


@needs_torch
@pytest.mark.filterwarnings("ignore:ComplexHalf support")
@pytest.mark.parametrize(
    "operator", ["a + b", "a * b", "a / b", "a == b", "t.maximum(a, b)", "t.where(t.tensor([True, False]), a, b)"]
)
def test_arithmetic_gives_the_promoted_dtype(operator: str) -> None:
    """The dtype of the result, and whether there is one, for all pairs and for numbers."""
    import torch

    wrong = []
    for first, second in itertools.product(PROMOTED, PROMOTED):
        for shapes in itertools.product(((2,), ()), repeat=2):
            answers = []
            for t in (torch, dyncore):
                a, b = (t.ones(s, dtype=getattr(t, n)) for s, n in zip(shapes, (first, second), strict=True))
                answers.append(dtype_or_error(t, operator, a, b))
            if answers[0] != answers[1] and not is_half_complex(first, second):
                wrong.append((first, shapes[0], second, shapes[1], *answers))
    assert [] == wrong


def is_half_complex(*names: str) -> bool:
    """Whether PyTorch may answer with complex32, which NumPy has not."""
    return "float16" in names and any(name.startswith("complex") for name in names)


def dtype_or_error(t: Any, operator: str, a: Any, b: Any) -> str:
    """The dtype's name, or "error"."""
    try:
        return str(eval(operator, {"t": t, "a": a, "b": b}).dtype)
    except (RuntimeError, TypeError, NotImplementedError):
        return "error"


@needs_torch
def test_casts_give_the_same_values() -> None:
    """Every dtype to every other, with values that wrap, truncate, overflow or are not numbers."""
    import torch

    floats = [0.0, -1.5, 2.9, 300.0, 1e10, float("nan"), float("inf")]
    values = {"f": floats, "c": [1 + 2j, -3.7 - 1j], "b": [True, False]}
    for first, second in itertools.product(NAMES, NAMES):
        array = np.array(values.get(np.dtype(first).kind, [0, 1, 100, 7]), first)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = torch.from_numpy(array).to(getattr(torch, second)).numpy()
            found = dyncore.from_numpy(array).to(getattr(dyncore, second)).numpy()
        np.testing.assert_array_equal(expected, found, err_msg=f"{first} to {second}")


def test_complex_dtype_of_half_precision_is_complex64() -> None:
    """NumPy has no complex number of two halves, which is PyTorch's answer."""
    assert dyncore.complex64 is dyncore.float16.to_complex()


@needs_torch
def test_facts_about_dtypes() -> None:
    """Names, sizes, kinds, limits, what may be cast to what."""
    import torch

    for name in NAMES:
        expected, found = getattr(torch, name), getattr(dyncore, name)
        for fact in ("itemsize", "is_floating_point", "is_complex", "is_signed"):
            assert getattr(expected, fact) == getattr(found, fact), (name, fact)
        assert str(expected) == str(found)
        if name in ("float32", "float64", "complex64"):
            assert str(expected.to_complex()) == str(found.to_complex())
        assert torch.ones(1, dtype=expected).type() == dyncore.ones(1, dtype=found).type()
        for other in NAMES:
            may = dyncore.can_cast(found, getattr(dyncore, other))
            assert torch.can_cast(expected, getattr(torch, other)) == may, (name, other)
        limits = "finfo" if expected.is_floating_point else "iinfo"
        if not expected.is_complex and name != "bool":
            ours, theirs = getattr(dyncore, limits)(found), getattr(torch, limits)(expected)
            for fact in ("bits", "max", "min", "dtype", *(("eps", "tiny", "resolution") if limits == "finfo" else ())):
                assert getattr(theirs, fact) == getattr(ours, fact), (name, fact)
    for alias in ("half", "float", "double", "short", "int", "long", "cfloat", "cdouble"):
        assert str(getattr(torch, alias)) == str(getattr(dyncore, alias))


CONVERSIONS = [
    "x.float()", "x.double()", "x.half()", "x.int()", "x.long()", "x.short()", "x.char()", "x.byte()", "x.bool()",
    "x.cfloat()", "x.to(t.int32)", "x.to('cpu')", "x.to('cpu', t.float64)", "x.to(t.device('cpu'), dtype=t.int64)",
    "x.to(t.ones(1, dtype=t.float64))", "x.to(float)", "x.to(int)", "x.to(dtype=None)", "x.to()", "x.type()",
    "x.type(t.int32)", "x.type('torch.IntTensor')", "x.type(t.DoubleTensor)", "x.type('nothing')",
    "x.type_as(t.ones(1).int())", "x.cpu() is x", "x.to(x.dtype) is x", "x.to(x.dtype, copy=True) is x",
    "x.float() is x", "x.to('cuda')", "x.cuda()", "x.to('nothing')", "x.to('mps')", "t.zeros(2, device='cuda')",
    "t.cuda.is_available()", "t.cuda.device_count()", "t.cuda.current_device()", "isinstance(x, t.FloatTensor)",
    "isinstance(x, t.LongTensor)", "t.cuda.FloatTensor(2)", "t.is_tensor(x)", "t.is_tensor(3)", "t.numel(x)",
    "t.is_floating_point(x)", "t.is_complex(x)", "t.is_nonzero(x)", "t.is_nonzero(x[0])", "t.equal(x, x)",
    "t.equal(x, x.double())", "t.equal(x, x[:1])", "t.allclose(x, x)", "t.allclose(x, x.double())", "t.numel(3)",
    "t.typename(x)", "t.typename(3)", "t.broadcast_shapes((2, 1), (3,))", "t.broadcast_shapes((2,), (3,))",
    "t.broadcast_shapes(2, (3, 1))", "t.device('cuda', 1)", "t.device('cuda:1').index", "t.device('cpu') == 'cpu'",
    "t.device('x')", "x.get_device()", "x.is_cuda", "t.get_default_device()", "x.layout", "t.contiguous_format",
    "t.set_default_dtype(t.int32)", "t.set_default_dtype('float')", "t.finfo()", "t.iinfo(t.int32)",
    "t.finfo(t.float16)", "t.backends.cudnn.deterministic", "t.backends.mps.is_available()", "x.is_pinned()",
    "x.pin_memory()", "x.apply_(lambda v: v + 1)", "x.map_(x, lambda a, b: a * b)", "x.is_set_to(x.detach())",
    "x.is_same_size(x)", "t.get_float32_matmul_precision()", "t.are_deterministic_algorithms_enabled()",
    "t.set_num_threads(0)", "t.autograd.Variable(x)", "t.inf, t.nan, t.pi, t.e", "t.Size([2, 3]).numel()",
    "t.Size([1]) + (2,)", "t.Size((2, 3))[1:]",
]  # fmt: skip


@needs_torch
def test_conversions_and_questions_answer_as_in_pytorch() -> None:
    """Values, identity and errors."""
    import torch

    def answer(t: Any, expression: str) -> str:
        try:
            return repr(eval(expression, {"t": t, "x": t.tensor([1.5, 0.0])}))
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    wrong = [(e, answer(torch, e), answer(dyncore, e)) for e in CONVERSIONS]
    assert [] == [each for each in wrong if each[1] != each[2]]


def test_imaginary_number_is_true() -> None:
    assert [True, False] == dyncore.tensor([1j, 0j]).bool().tolist()


def test_conversion_is_recorded() -> None:
    """Gradients come back in the dtype of the input."""
    x = dyncore.tensor([1.5, 2.0], requires_grad=True)
    y = x.double()
    assert "ToCopyBackward0" == y.grad_fn.name()
    y.pow(2).sum().backward()
    assert dyncore.float32 is x.grad.dtype
    assert [3.0, 4.0] == x.grad.tolist()


def test_gpu_device_error_has_hint() -> None:
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled") as error:
        dyncore.ones(2).cuda()
    assert "no GPU here: dyncore computes on the CPU" == error.value.__notes__[0]
    assert error.value.__notes__[1].startswith("hint: leave the device out")


def test_number_of_threads_is_remembered() -> None:
    before = dyncore.get_num_threads()
    dyncore.set_num_threads(1)
    assert 1 == dyncore.get_num_threads()
    dyncore.set_num_threads(before)


def test_the_sign_of_a_zero_is_kept() -> None:
    """0, 0.0 and -0.0 are one key of a dict and three operands."""
    x = dyncore.ones(1)
    assert ["0.0", "0.0", "-0.0"] == [str((x * zero).item()) for zero in (0, 0.0, -0.0)]
