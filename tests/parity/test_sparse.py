"""Sparse tensors as far as scripts use them: what they print, their parts, products and gradients are PyTorch's."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from typing import Any

import pytest

import dyncore

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:Sparse")

SAME = [
    "s", "s2", "d", "d.coalesce()", "d.to_dense()", "d._nnz()", "s.indices()", "s.values()", "s._indices()",
    "s._values()", "s.coalesce()", "s.coalesce().indices()", "s2.coalesce().values()", "s.t()", "s.transpose(0, 1)",
    "s.size()", "s.size(1)", "s.shape", "s.to_dense()", "s.sparse_dim(), s.dense_dim(), s.dim(), s.numel(), len(s)",
    "s.requires_grad, s.is_leaf, s.is_sparse, s.is_coalesced(), s.layout, s.dtype, s.device, s.type()",
    "torch.sparse.mm(s, e)", "torch.spmm(s, e)", "torch.mm(s, e)", "torch.matmul(s, e)", "s @ e", "s.mm(e)",
    "torch.mv(s, e[:, 0])", "s.matmul(e[:, 0])", "s2.t() @ torch.ones(2, 1)", "s * 2", "2 * s", "s + s", "s * s",
    "s / 2", "-s", "s.abs()", "s2.relu()", "s2.pow(2)", "s2.sqrt()", "s2 * torch.ones(2, 3)", "torch.ones(2, 3) + s",
    "s.sum()", "s2.sum(dim=1)", "torch.sparse.sum(s)", "torch.sparse.sum(s, dim=1)", "torch.sparse.sum(s2, dim=0)",
    "torch.sparse.softmax(s2, 1)", "torch.sparse.log_softmax(s2, 1)", "torch.sparse.softmax(d, 0)", "s.clone()",
    "s.detach()", "s.data", "s.float()", "s.double()", "s.to(torch.float64)", "s.to('cpu')", "s.cpu()",
    "torch.ones(2, 3).to_sparse()", "torch.eye(2).to_sparse().indices()", "torch.eye(2).to_sparse().is_coalesced()",
    "torch.tensor([[1.0, 0], [0, 2]]).to_sparse_coo()", "torch.eye(2).to_sparse().to_dense()",
    "torch.sparse.FloatTensor(i, v, torch.Size([2, 3]))", "torch.sparse.FloatTensor(2, 3)",
    "torch.sparse.FloatTensor(i, v)", "torch.sparse.DoubleTensor(i, v.double(), (2, 3))",
    "torch.sparse.LongTensor(i, torch.tensor([1, 2, 3]), (2, 3))", "torch.sparse_coo_tensor(i, v)",
    "torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0])", "torch.sparse_coo_tensor((2, 3))",
    "torch.sparse_coo_tensor(i, v, (2, 3), dtype=torch.float64)", "torch.sparse_coo_tensor(i, [1, 2, 3], (2, 3))",
    "torch.sparse_coo_tensor(i, v.detach(), (2, 3), requires_grad=True)", "torch.is_tensor(s)",
    "torch.sparse_coo_tensor(i, torch.ones(3, 2), (2, 3, 2))", "isinstance(s, torch.Tensor)",
    "torch.sparse_coo_tensor(i, torch.ones(3, 2), (2, 3, 2)).to_dense()", "torch.sparse.mm(s2, s2.t())",
    "torch.sparse_coo_tensor(i, v[:2], (2, 3))", "torch.sparse.mm(torch.ones(2, 2), torch.ones(2, 2))",
    "torch.sparse.mm(s, torch.ones(2, 2))", "torch.mm(torch.ones(2, 2), s)", "s2.numpy()",
    "torch.ones(2).coalesce()", "torch.ones(2).values()", "torch.ones(2).indices()", "torch.ones(2).is_coalesced()",
    "torch.sparse.mm(s2, e.double())", "big", "torch.sparse_coo_tensor(i, v, (2, 3)).to(torch.float16).dtype",
    "torch.relu(s)", "torch.nn.functional.relu(s)", "torch.nn.ReLU()(s)", "torch.abs(s)", "torch.tanh(s)", "-s",
    "torch.square(s)", "torch.isnan(s)", "torch.cat([s, s])", "torch.cat([s, s2], dim=-1)", "torch.vstack([s, s])",
    "torch.hstack([s, s])", "torch.stack([s, s])", "torch.cat([s, torch.ones(2, 3)])", "s.unsqueeze(0)",
    "torch.index_select(s, 0, torch.tensor([1, 0]))", "s.index_select(1, torch.tensor([2, 0]))", "s[1]", "s[0, 2]",
    "s.index_select(0, torch.tensor([1, 1]))", "s[:, 0]", "list(s)", "s.T", "s.mT", "s.permute(1, 0)",
    "torch.clone(s)", "torch.zeros_like(s)", "torch.sum(s, 1)", "torch.mul(s, 2)", "torch.add(s, s, alpha=2)",
    "torch.sub(s, s)", "torch.mm(s, s.t())", "torch.hspmm(s2, e)", "s.bool()", "s.nelement()",
    "torch.arange(6.0).reshape(2, 3).sparse_mask(s)", "s2.sparse_mask(s2.coalesce())", "s2.sparse_mask(s2.t())",
    "torch.addmm(torch.ones(2, 2), s, e)", "torch.nn.functional.dropout(s, 0.5, training=False)",
]  # fmt: skip


def text_of(expression: str, engine: Any) -> str:
    i = engine.tensor([[0, 1, 1], [2, 0, 2]])
    v = engine.tensor([3.0, 4.0, 5.0], requires_grad=True)
    names = {
        "torch": engine, "i": i, "v": v, "e": engine.arange(6.0).reshape(3, 2),
        "s": engine.sparse_coo_tensor(i, v, (2, 3)), "s2": engine.sparse_coo_tensor(i, v.detach(), (2, 3)),
        "d": engine.sparse_coo_tensor([[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0], (2, 2)),
        "big": engine.eye(2000).to_sparse(),
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(expression, names))
        except Exception as error:
            return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("expression", SAME)
def test_sparse_tensors_print_and_answer_as_in_pytorch(expression: str) -> None:
    assert text_of(expression, torch) == text_of(expression, dyncore)


def special_function(engine: Any) -> Any:
    """The function of the public GAT, whose backward is written by hand."""

    class SpecialSpmm(engine.autograd.Function):
        @staticmethod
        def forward(ctx: Any, indices: Any, values: Any, shape: Any, b: Any) -> Any:
            a = engine.sparse_coo_tensor(indices, values, shape)
            ctx.save_for_backward(a, b)
            ctx.N = shape[0]
            return engine.matmul(a, b)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            a, b = ctx.saved_tensors
            grad_a_dense = grad_output.matmul(b.t())
            edges = a._indices()[0, :] * ctx.N + a._indices()[1, :]
            return None, grad_a_dense.view(-1)[edges], None, a.t().matmul(grad_output)

    return SpecialSpmm


def network(engine: Any) -> Any:
    """An attention layer over the edges of a graph and a convolution over it, with the graph as a buffer."""
    nn, f = engine.nn, special_function(engine).apply

    class Net(nn.Module):
        def __init__(self, graph: Any) -> None:
            super().__init__()
            self.w, self.a = nn.Parameter(engine.randn(4, 5)), nn.Parameter(engine.randn(1, 10))
            self.out = nn.Linear(5, 3)
            self.register_buffer("graph", graph.to_sparse())

        def forward(self, x: Any) -> Any:
            edge, n = self.graph.indices(), x.shape[0]
            h = engine.mm(x, self.w)
            weights = engine.cat((h[edge[0]], h[edge[1]]), 1)
            e = engine.exp(-nn.functional.leaky_relu(self.a.mm(weights.t()).squeeze(), 0.2))
            total = f(edge, e, engine.Size([n, n]), engine.ones(n, 1, dtype=x.dtype))
            h = nn.functional.elu(f(edge, e, engine.Size([n, n]), h).div(total))
            return engine.spmm(self.graph, self.out(h))

    return Net


def trained(engine: Any) -> list[Any]:
    engine.manual_seed(3)
    graph = ((engine.rand(6, 6) > 0.5).float() + engine.eye(6)).clamp(max=1).double()
    x, y = engine.randn(6, 4).double(), engine.tensor([0, 1, 2, 0, 1, 2])
    net = network(engine)(graph).double()
    optimizer = engine.optim.Adam(net.parameters(), lr=0.01)
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = engine.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    copied = copy.deepcopy(net)
    assert copied(x).tolist() == net(x).tolist()
    return [*losses, *net.w.grad.flatten().tolist(), *net.a.grad.flatten().tolist()]


def test_a_graph_network_trains_as_on_pytorch() -> None:
    assert trained(torch) == pytest.approx(trained(dyncore), rel=1e-9, abs=1e-12)


def gradients(engine: Any, product: str) -> list[Any]:
    i = engine.tensor([[0, 1, 1, 0], [2, 0, 2, 1]])
    v = engine.tensor([3.0, 4.0, 5.0, -1.0], dtype=engine.float64, requires_grad=True)
    d = engine.arange(6.0, dtype=engine.float64).reshape(3, 2).requires_grad_()
    s = engine.sparse_coo_tensor(i, v, (2, 3))
    out = eval(product, {"torch": engine, "s": s, "d": d})
    out = out.to_dense() if out.is_sparse else out
    out.square().sum().backward()
    return [each.tolist() if each is not None else None for each in (out.detach(), v.grad, d.grad)]


@pytest.mark.parametrize("product", [
    "torch.sparse.mm(s, d)", "torch.spmm(s, d)", "torch.mm(s, d)", "s @ d", "torch.matmul(s, d)", "s.matmul(d[:, 1])",
    "torch.sparse.mm(s.coalesce(), d)", "torch.sparse.addmm(torch.ones(2, 2, dtype=d.dtype), s, d, beta=2, alpha=3)",
    "s.to_dense() @ d", "s * 2", "s + s", "torch.sparse.softmax(s, 1)", "torch.sparse.log_softmax(s, 1)",
    "torch.sparse.sum(s, dim=0)", "(s.t() @ d[:2]) * 2", "s.sum()", "d[:2] @ s[:, :2].to_dense().t() if 0 else s @ d",
])  # fmt: skip
def test_gradients_reach_values_and_the_dense_operand(product: str) -> None:
    theirs, ours = gradients(torch, product), gradients(dyncore, product)
    for one, other in zip(theirs, ours, strict=True):
        assert one is None or torch.allclose(torch.tensor(one), torch.tensor(other))
        assert (one is None) == (other is None)


@pytest.mark.parametrize("expression", [
    "torch.sparse.mm(leaf, d)", "torch.mm(leaf, d)", "leaf @ d", "torch.mv(leaf, d[:, 0])", "leaf.matmul(d[:, 0])",
    "torch.addmm(torch.ones(2, 2), leaf, d)", "torch.sparse.addmm(torch.ones(2, 2), leaf, d)", "leaf.to_dense()",
    "leaf.sum()", "torch.sparse.sum(leaf)", "torch.ones(2, 3) + leaf", "torch.sparse.mm(leaf * 2, d)", "leaf * 2",
    "(leaf * 2) @ d", "leaf.coalesce() @ d", "leaf.t() @ d[:2]", "leaf @ d + torch.sparse.mm(leaf, d)",
    "torch.sparse.mm(torch.relu(leaf), d)", "leaf.coalesce().values()",
])  # fmt: skip
def test_gradient_of_a_sparse_leaf_has_the_layout_of_pytorch(expression: str) -> None:
    found = []
    for engine in (torch, dyncore):
        i = engine.tensor([[0, 1, 1], [2, 0, 2]])
        leaf = engine.sparse_coo_tensor(i, engine.tensor([3.0, 4.0, 5.0]), (2, 3), requires_grad=True)
        y = eval(expression, {"torch": engine, "leaf": leaf, "d": engine.arange(6.0).reshape(3, 2)})
        y = engine.sparse.sum(y) if y.is_sparse else y
        (y * y).sum().backward()
        found.append((repr(leaf), leaf.grad_fn, repr(leaf.grad)))
        leaf.grad = None
        assert leaf.grad is None
    assert found[0] == found[1]


def test_ops_called_often_keep_sparse_results() -> None:
    """The function written for an op after some calls leaves sparse operands to their rules."""
    s, x = dyncore.eye(3).to_sparse(), dyncore.ones(3, 3, requires_grad=True)
    index = dyncore.tensor([0])
    for _ in range(40):
        for one in (x, s):
            results = (dyncore.relu(one), dyncore.cat([one, one]), dyncore.index_select(one, 0, index), one.sum(0))
            results += (one * 2, one + one, dyncore.unsqueeze(one, 0), one.unbind()[0])
            assert {one.is_sparse} == {each.is_sparse for each in results}
        assert not dyncore.mm(s, x).is_sparse


def test_gradients_of_the_product_are_right_twice() -> None:
    i = dyncore.tensor([[0, 1, 1, 0], [2, 0, 2, 1]])

    def product(v: Any, d: Any) -> Any:
        return dyncore.sparse.mm(dyncore.sparse_coo_tensor(i, v, (2, 3)), d)

    dyncore.manual_seed(2)
    v = dyncore.randn(4, dtype=dyncore.float64, requires_grad=True)
    d = dyncore.randn(3, 2, dtype=dyncore.float64, requires_grad=True)
    assert dyncore.autograd.gradcheck(product, (v, d))
    assert dyncore.autograd.gradgradcheck(product, (v, d))


def test_large_products_stay_sparse() -> None:
    """A dense matrix of this size would take 80 GB."""
    n = 100_000
    i = dyncore.stack([dyncore.arange(n), (dyncore.arange(n) * 7) % n])
    s = dyncore.sparse_coo_tensor(i, dyncore.ones(n), (n, n))
    x = dyncore.arange(float(n)).unsqueeze(1).requires_grad_()
    out = dyncore.spmm(s.t().coalesce(), dyncore.sparse.mm(s, x))
    out.sum().backward()
    assert (n, 1) == out.shape and n == x.grad.sum().item()


def test_the_dense_tensor_that_other_ops_see_cannot_be_written_into() -> None:
    s = dyncore.eye(2).to_sparse()
    assert [1.0, 1.0] == s.sum(1).to_dense().tolist()
    assert [[2.0, 1.0], [1.0, 2.0]] == dyncore.exp2(s).tolist()
    with pytest.raises((ValueError, RuntimeError)):
        s.exp_()
    assert [[1.0, 0.0], [0.0, 1.0]] == s.to_dense().tolist()


def test_sparse_tensors_are_copied_and_pickled() -> None:
    s = dyncore.eye(2).to_sparse() * 3
    for other in (copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s))):
        assert re.sub(" grad_fn.*", "", repr(s)) == repr(other) and other is not s
