"""Arguments by name: PyTorch's names, NumPy's that it also takes, and what is said when one is missing."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore

torch = pytest.importorskip("torch")

CALLS = (
    "e.sum(a, axis=0, keepdims=True)", "e.hsplit(e.ones(4, 4), sections=2)[0]", "a.softmax(axis=1)",
    "a.cumsum(axis=0)", "e.argmax(a, axis=1)", "a.swapaxes(axis0=0, axis1=1)", "e.isin(i, test_element=1)",
    "e.logsumexp(a, axis=1)", "e.logsumexp(input=a, dim=1)", "e.atan2(input=a, other=a)", "e.atan2(x1=a, x2=a)",
    "e.angle(input=a)", "e.logit(input=a, eps=0.1)", "a.unsqueeze(axis=0)", "e.cat([a, a], axis=1)",
    "e.stack([a, a], axis=1)", "a.permute(dims=(1, 0))", "e.mean(x=a)", "e.mean(input=a, axis=1)",
    "a.index_select(axis=0, index=i)", "a.split(split_size=1)[0]", "e.mm(input=a, mat2=a.T)", "a.mm(mat2=a.T)",
    "e.matmul(a, other=a.T)", "e.lerp(a, end=a, weight=0.5)", "a.index_add(axis=0, index=i, source=a)",
    "a.var(axis=0, keepdims=True)", "a.cumsum()", "a.softmax()", "a.gather(0)", "a.transpose(0)", "a.unsqueeze()",
    "a.gather()", "e.linalg.cholesky(input=a.mm(a.T))", "e.linalg.matrix_norm(input=a)",
    "e.linalg.lstsq(input=a, b=a).rank", "e.cholesky_inverse(input=a.mm(a.T))", "e.orgqr(a.T, input2=a[:, 0])",
    "e.split(tensor=a, split_size_or_sections=1)", "e.chunk(input=a, chunks=2)",
    "e.linalg.matrix_rank(a, 0.1, False)", "e.histogram(a).hist.sum()", "e.meshgrid(i, i, indexing='ij')",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_arguments_have_pytorchs_names_in_the_first_call_and_in_the_fortieth(call: str) -> None:
    """An op that is called often gets an entry of its own, which takes the same names."""
    found = []
    for engine, times in ((torch, 1), (dyncore, 40)):
        given = {"e": engine, "a": engine.tensor([[1.0, 2.0, -3.0], [0.5, 0.25, 4.0]]), "i": engine.tensor([0, 1])}
        found.append({outcome(call, given) for _ in range(times)})
    assert found[0] == found[1]


def outcome(call: str, given: dict[str, Any]) -> str:
    try:
        return str(eval(call, given))
    except TypeError as error:
        return str(error)


def test_gradients_take_what_old_scripts_say() -> None:
    """`only_inputs=True` of penalties written long ago; inputs by name."""
    for engine in (torch, dyncore):
        x, y = (engine.ones(2, requires_grad=True) for _ in range(2))
        options = {"create_graph": True, "retain_graph": True, "only_inputs": True}
        (g,) = engine.autograd.grad(outputs=(x * x).sum(), inputs=x, grad_outputs=engine.ones(()), **options)
        assert [2.0, 2.0] == g.tolist() and g.requires_grad
        with pytest.warns(FutureWarning, match="only_inputs argument is deprecated and is ignored now"):
            engine.autograd.grad(x.sum(), x, only_inputs=False)
        named = engine.autograd.grad((x * y).sum(), {"x": x, "y": y})
        assert ["x", "y"] == list(named) and [1.0, 1.0] == named["y"].tolist()
        (x * y).sum().backward(inputs={"y": y})
        assert x.grad is None and [1.0, 1.0] == y.grad.tolist()


def test_layers_take_keywords_of_old() -> None:
    for engine in (torch, dyncore):
        with pytest.warns(FutureWarning, match="`min_value` is deprecated"):
            assert "Hardtanh(min_val=-2, max_val=1.0)" == repr(engine.nn.Hardtanh(min_value=-2))
        assert engine.nn.LazyInstanceNorm1d(affine=True, bias=False).bias is None
        assert 3 == engine.nn.SyncBatchNorm(3, process_group=None).num_features
