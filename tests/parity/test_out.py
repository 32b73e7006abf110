"""`out=`: PyTorch's dtypes, its errors for the others, its warning for another shape, and memory that is shared."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import dyncore
from dyncore.mutation import out_dtypes

torch = pytest.importorskip("torch")

A = "e.tensor([[4.0, 1.0], [1.0, 3.0]])"
V = "e.tensor([1.0, 2.0])"
# One call for each kind of sentence; `o` is the result's `out=`.
CALLS = (
    f"e.mm({A}, {A}, out=o)", f"e.abs({A}, out=o)", f"e.mv({A}, {V}, out=o)", f"e.dot({V}, {V}, out=o)",
    f"e.all({A}, out=o)", f"e.argmax({A}, out=o)", f"e.amax({A}, 0, out=o)", f"e.cat([{A}, {A}], out=o)",
    f"e.logcumsumexp({A}, 0, out=o)", f"e.take({V}, e.tensor([0]), out=o)",
    f"e.nonzero({V}, out=o)", f"e.fft.fft({V}, out=o)", f"e.fft.irfft({V}, out=o)", f"e.linalg.inv({A}, out=o)",
    f"e.linalg.pinv({A}, out=o)", f"e.linalg.eigvals({A}, out=o)", f"e.searchsorted({V}, {V}, out=o)",
    f"e.mean({A}, 0, out=o)", f"e.logsumexp({A}, 0, out=o)", f"e.nan_to_num({V}, out=o)", f"e.signbit({V}, out=o)",
    f"e.where({V} > 1, {V}, {V}, out=o)", f"e.add({V}, {V}, out=o)", f"e.diag({V}, out=o)",
    f"e.isneginf({V}, out=o)", f"e.float_power({V}, 2, out=o)", f"e.complex({V}, {V}, out=o)",
    "e.ones(2, out=o)", "e.zeros(2, dtype=e.float32, out=o)", "e.eye(2, out=o)",
    f"e.multinomial({V}, 1, out=o)", f"e.sort({V}, out=(o, e.empty(0, dtype=e.int64)))",
    f"e.max({A}, 0, out=(o, e.empty(0, dtype=e.int64)))", f"e.max({V}, 0, out=(e.empty(0), o))",
)  # fmt: skip
DTYPES = ("float64", "float32", "int32", "int64", "complex64", "complex128", "bool")


@pytest.mark.parametrize("call", CALLS)
def test_an_out_of_another_dtype_is_taken_or_refused_as_in_pytorch(call: str) -> None:
    """In every dtype the same error, or the same values."""
    for dtype in DTYPES:
        found = []
        for engine in (torch, dyncore):
            out = engine.zeros(shape_of(call), dtype=getattr(engine, dtype))
            found.append(outcome(call, engine, out))
        if len(found[0]) == 3 == len(found[1]):
            assert found[0][1] == pytest.approx(found[1][1], abs=1e-6), dtype
            found = [(shape, said) for shape, _, said in found]
        assert found[0] == found[1], dtype


def shape_of(call: str) -> tuple[int, ...]:
    """The shape of what the call writes."""
    out = torch.empty(0)
    try:
        eval(call, {"e": torch, "o": out})
    except (RuntimeError, NotImplementedError):
        out = torch.empty(0, dtype=torch.complex64 if "fft" in call or "eig" in call else torch.int64)
        outcome(call, torch, out)
    return tuple(out.shape)


def outcome(call: str, engine: Any, out: Any) -> Any:
    """The error, or the values of `out`, of chance their number alone, and the warnings without the place in C++."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            eval(call, {"e": engine, "o": out})
        except Exception as error:
            return type(error).__name__, str(error)
    said = [str(each.message).partition(" (Triggered")[0] for each in caught]
    flat = out.reshape(-1).tolist() if "multinomial" not in call else []
    return tuple(out.shape), flat, said


@pytest.mark.parametrize("call", [f"e.mm({A}, {A}, out=o)", f"e.exp({A}, out=o)", f"e.sum({A}, 0, out=o)"])
def test_an_out_with_elements_of_another_shape_is_resized_with_a_warning(call: str) -> None:
    found = [outcome(call, engine, engine.ones(3)) for engine in (torch, dyncore)]
    assert 1 == len(found[0][2])
    assert found[0][0] == found[1][0] and found[0][2] == found[1][2]
    assert found[0][1] == pytest.approx(found[1][1])


def test_out_writes_into_the_memory_that_others_see() -> None:
    for engine in (torch, dyncore):
        whole = engine.zeros(2, 3)
        engine.ones(3, out=whole[1])
        engine.arange(3, out=whole[0])
        assert [[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]] == whole.tolist()


@pytest.mark.parametrize("call", [
    "e.cat((x, y), out=y)", "e.cat((x, y), out=y[:1])", "e.gather(i, 0, i[1:], out=i[:1])", "e.take(i, i, out=i)",
    "e.bernoulli(x, out=e.zeros(1).expand(2))",
])  # fmt: skip
def test_an_out_that_lies_on_what_is_read_is_refused(call: str) -> None:
    found = []
    for engine in (torch, dyncore):
        given = {"e": engine, "x": engine.zeros(2), "y": engine.zeros(2), "i": engine.tensor([0, 1, 1])}
        with pytest.raises(RuntimeError) as error:
            eval(call, given)
        found.append(str(error.value))
    assert found[0] == found[1]


def test_every_op_with_a_sentence_of_its_own_is_there() -> None:
    import dyncore.binding.lazy
    from dyncore.creation.factory import FACTORIES
    from dyncore.dispatch.registry import TABLE

    dyncore.binding.lazy.load_all()
    named = {*out_dtypes.STRICT, *out_dtypes.CASTS, *out_dtypes.REAL}
    assert set() == named - {*TABLE, *FACTORIES}


@pytest.mark.parametrize("call", [
    "e.add(2, 3)", "e.add(2.5, 3)", "e.sub(5, 2, alpha=2)", "e.mul(2j, 1)", "e.div(1, 2)", "e.floor_divide(7, 2)",
    "e.div(7, 2, rounding_mode='floor')", "e.add(2, 3) + e.ones(1, dtype=e.int8)",
])  # fmt: skip
def test_two_numbers_make_a_tensor(call: str) -> None:
    found = [eval(call, {"e": engine}) for engine in (torch, dyncore)]
    assert (str(found[0]), str(found[0].dtype)) == (str(found[1]), str(found[1].dtype))


def test_an_operator_belongs_to_tensors() -> None:
    with pytest.raises(TypeError, match="doesn't apply to a 'int' object"):
        dyncore.Tensor.__radd__(2, dyncore.ones(2))
