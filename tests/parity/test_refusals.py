"""Dtypes that PyTorch refuses are refused here, with its kind of error and its sentence."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.supported import IN_FORWARD

torch = pytest.importorskip("torch")

KINDS = {"b": "bool", "i": "int64", "u": "uint8", "f": "float32", "c": "complex64"}


@pytest.mark.parametrize("name", sorted({*IN_FORWARD, "lt", "le", "gt", "ge", "pow"}))
def test_a_dtype_is_refused_as_pytorch_does(name: str) -> None:
    """For every kind that the table names, and no others."""
    for dtype in KINDS.values():
        found = [outcome(engine, name, dtype) for engine in (torch, dyncore)]
        assert found[0] == found[1], (name, dtype)


def outcome(engine: Any, name: str, dtype: str) -> Any:
    """The error, or that there was none."""
    given = [engine.tensor(each).to(getattr(engine, dtype)) for each in ([1, 0], [1, 1])]
    try:
        getattr(engine, name)(*given[: len(TABLE[name].tensor_names)])
    except Exception as error:
        return type(error).__name__, str(error)
    return None


M, V = "e.tensor([[1.0, 0.0], [0.0, 1.0]])", "e.tensor([1.0, 0.0])"
CALLS = (
    "e.mm(m, m)", "e.mv(m, v)", "e.dot(v, v)", "e.bmm(m[None], m[None])", "e.matmul(m, m)", "F.linear(v, m)",
    "e.softmax(v, 0)", "e.log_softmax(v, 0)", "F.elu(v)", "F.selu(v)", "F.leaky_relu(v)", "F.hardtanh(v, 0.0, 1.0)",
    "F.softplus(v)", "F.glu(v)", "F.logsigmoid(v)", "e.clamp(v, min=0)", "e.relu(v)", "e.topk(v, 1)", "e.argmax(v)",
    "e.median(v)", "e.kthvalue(v, 1)", "e.unique(v)", "e.trace(m)", "e.cummax(v, 0)", "F.mse_loss(v, v)",
    "F.avg_pool2d(m[None], 2)", "e.igamma(v, v)", "e.special.i0e(v)", "e.special.bessel_j0(v)", "e.round(v)",
    "F.layer_norm(v, (2,))", "F.nll_loss(m, e.tensor([0, 1]))", "e.cov(m)", "F.conv1d(m[None], m[None])",
    "e.softmax(v, 0, dtype=e.float64)", "e.log_softmax(v, 0, dtype=e.float32)", "e.nansum(v)",
    "e.isin(v, v)", "e.lerp(v, v, 0.5)", "e.logit(v)", "e.special.entr(v)",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_a_dtype_without_a_kernel_is_refused_as_pytorch_does(call: str) -> None:
    """In the first call and once the op has an entry of its own; for no other dtype."""
    for dtype in ("bool", "uint8", "int64", "complex64", "float32"):
        if call in DIFFERENT.get(dtype, ()):
            continue
        found = []
        for engine, times in ((torch, 1), (dyncore, 35)):
            kind = getattr(engine, dtype)
            given = {"e": engine, "F": engine.nn.functional, "m": eval(M, {"e": engine}).to(kind),
                     "v": eval(V, {"e": engine}).to(kind)}  # fmt: skip
            found.append({refused(call, given) for _ in range(times)})
        assert found[0] == found[1], dtype


DIFFERENT: dict[str, tuple[str, ...]] = {  # PyTorch warns of the cast
    "complex64": ("e.softmax(v, 0, dtype=e.float64)", "e.log_softmax(v, 0, dtype=e.float32)")
}


def refused(call: str, given: dict[str, Any]) -> Any:
    """The error, or that there was none."""
    try:
        eval(call, given)
    except Exception as error:
        return type(error).__name__, str(error)
    return None


def test_the_dtype_of_out_is_looked_at_before_the_weights() -> None:
    """PyTorch's database gives weights that were never set, and they may be zeros."""
    with pytest.raises(RuntimeError, match=r"multinomial expects Long tensor out, got: Double"):
        dyncore.multinomial(dyncore.zeros(3), 2, out=dyncore.empty(2, dtype=dyncore.double))


MIXED = (
    "m @ w", "v @ u", "m @ u", "v @ w", "m[None] @ w[None]", "m[None] @ w", "e.mm(m, w)", "e.bmm(m[None], w[None])",
    "e.dot(v, u)", "F.linear(m, w)", "F.linear(m[None], w)", "F.conv1d(m[None], w[None])",
    "F.conv1d(m[None], m[None], u)", "F.conv2d(m[None, None], w[None, None])",
    "F.conv_transpose1d(m[None], w[:, :, None])",
    "e.addmm(m, m, w)", "e.addmm(w, m, m)", "e.baddbmm(w[None], m[None], m[None])",
    "e.baddbmm(m[None], m[None], w[None])", "e.baddbmm(m[None], m[None].long(), m[None])", "e.addmv(u, m, v)",
    "e.einsum('ij,jk', m, w)", "e.nn.LSTM(2, 2)(w[None])", "e.nn.Linear(2, 2)(m.long())",
)  # fmt: skip


@pytest.mark.parametrize("call", MIXED)
def test_mixed_dtypes_are_refused_as_pytorch_does(call: str) -> None:
    """Products do not promote; `w` and `u` are of float64."""
    found = []
    for engine in (torch, dyncore):
        m, v = eval(M, {"e": engine}), eval(V, {"e": engine})
        given = {"e": engine, "F": engine.nn.functional, "m": m, "v": v, "w": m.double(), "u": v.double()}
        error = refused(call, given)
        assert error is not None
        found.append((error[0], error[1].splitlines()[0]))
    assert found[0] == found[1]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_huber_loss_has_the_dtype_of_its_input(reduction: str) -> None:
    for name in ("float32", "float64"):
        for engine in (torch, dyncore):
            other = engine.float64 if name == "float32" else engine.float32
            x, target = engine.tensor([0.5, 3.0], dtype=getattr(engine, name)), engine.zeros(2, dtype=other)
            loss = engine.nn.functional.huber_loss(x, target, reduction=reduction)
            assert name == str(loss.dtype).rpartition(".")[2]


def test_reinforce_and_volatile_are_those_of_pytorch() -> None:
    for engine in (torch, dyncore):
        x = engine.ones(1)
        with pytest.warns(UserWarning, match="volatile was removed and now has no effect"):
            x.volatile = True
        with pytest.raises(RuntimeError, match=r"reinforce\(\) was removed\.\nUse torch\.distributions instead"):
            x.reinforce(1)
