"""`grad_fn` is printed as PyTorch prints it, also where PyTorch makes an op of others or picks a kernel by shape."""

from __future__ import annotations

from typing import Any

import pytest

# What is typed, and the node that PyTorch leaves.  x: (2, 3), v: (3,), m: (4, 3), b: (5, 3, 2), q: (2, 2, 3, 4).
NAMES = {
    # Products take another way by rank, by which operand requires grad, and by the order in memory.
    "v @ v": "DotBackward0",
    "x @ v": "MvBackward0",
    "v @ x.T": "SqueezeBackward4",
    "m @ x.T": "MmBackward0",
    "v @ b": "UnsafeViewBackward0",
    "x @ b": "CloneBackward0",
    "x.detach() @ b": "UnsafeViewBackward0",
    "x[:1] @ b": "TransposeBackward0",
    "b @ x": "UnsafeViewBackward0",
    "F.linear(v, m)": "SqueezeBackward4",
    "F.linear(x, m)": "MmBackward0",
    "F.linear(x, m, m[:, 0])": "AddmmBackward0",
    "F.linear(v, m, m[:, 0])": "AddBackward0",
    "F.linear(v, m, m[:, 0].contiguous())": "ViewBackward0",
    "F.linear(b.mT, m, m[:, 0])": "AddBackward0",
    "F.linear(b[..., 0], m)": "MmBackward0",
    "F.linear(torch.ones(2, 2, 3), m, torch.ones(4))": "ViewBackward0",
    "torch.einsum('ij->', x)": "SumBackward1",
    "torch.einsum('ij->ji', x)": "PermuteBackward0",
    "torch.einsum('i,j->ij', v, v)": "MulBackward0",
    "torch.einsum('ij,kj->ik', x, m)": "ViewBackward0",
    "torch.tensordot(x, v, dims=0)": "ViewBackward0",
    "torch.cdist(x, m)": "CdistBackward0",
    "torch.cdist(x, m, compute_mode='use_mm_for_euclid_dist')": "ViewBackward0",
    "torch.cdist(m, torch.ones(26, 3))": "ViewBackward0",
    "F.scaled_dot_product_attention(q, q, q)": "ScaledDotProductFlashAttentionForCpuBackward0",
    "F.scaled_dot_product_attention(q, q, q, torch.ones(3, 3, requires_grad=True))": "UnsafeViewBackward0",
    "F.scaled_dot_product_attention(q, q, q[..., :2])": "UnsafeViewBackward0",
    "F.scaled_dot_product_attention(q[0], q[0], q[0])": "UnsafeViewBackward0",
    "F.scaled_dot_product_attention(x, x, x)": "MmBackward0",
    # A number and a tensor are two overloads.
    "1 - x": "RsubBackward1",
    "torch.rsub(x, v)": "RsubBackward0",
    "torch.rsub(x, v.detach())": "RsubBackward0",
    "x % 2": "RemainderBackward0",
    "x % v": "RemainderBackward1",
    "torch.fill(x, 1)": "FillBackward0",
    "torch.fill(x, torch.tensor(1.0))": "FillBackward1",
    "x.sort()[0]": "SortBackward0",
    "x.sort(stable=True)[0]": "SortBackward1",
    "x.sort(stable=False)[0]": "SortBackward1",
    "x.sum_to_size(3)": "ViewBackward0",
    "x.sum_to_size(1, 3)": "SumBackward1",
    "x.repeat_interleave(2)": "ViewBackward0",
    "x.repeat_interleave(torch.tensor([1, 2]), 0)": "IndexSelectBackward0",
    # The in-place form is another function.
    "x.clone().fill_(1)": "FillBackward2",
    "x.clone().fill_(torch.tensor(1.0))": "FillBackward3",
    "x.clone().squeeze_()": "SqueezeBackward3",
    "x.clone().squeeze_(0)": "SqueezeBackward4",
    "x.clone().squeeze_((0, 1))": "SqueezeBackward5",
    "x.clone().unsqueeze_(0)": "UnsqueezeBackward1",
    "x.clone().t_()": "TBackward1",
    "x.clone().transpose_(0, 1)": "TransposeBackward1",
    "x.clone().fill_diagonal_(0.0)": "torch::autograd::CopySlices",
    "F.leaky_relu(x.clone(), 0.1, inplace=True)": "LeakyReluBackward1",
    "F.elu(x.clone(), 1.0, inplace=True)": "EluBackward1",
    "F.threshold(x.clone(), 1.0, 0.0, inplace=True)": "ThresholdBackward1",
    "F.selu(x.clone(), inplace=True)": "EluBackward1",
    "F.celu(x.clone(), 1.0, inplace=True)": "CeluBackward1",
    "F.rrelu(x.clone(), training=True, inplace=True)": "RreluWithNoiseBackward1",
    "x.clone().acosh_()": "AcoshBackward1",
    "x.clone().conj_physical_()": "ConjPhysicalBackward1",
    "x.clone().as_strided_((2,), (1,))": "AsStridedBackward1",
    "x.clone().polygamma_(1)": "PolygammaBackward1",
    "x.clone().normal_()": "NormalBackward0",
    "x.clone().random_(1, 5)": "RandomBackward0",
    "x.clone().random_(5)": "RandomBackward1",
    "x.clone().random_()": "RandomBackward2",
    "x.clone().bernoulli_(0.5)": "BernoulliBackward2",
    "torch.poisson(x)": "PoissonBackward0",
    # The last thing PyTorch does is a squeeze, a scaling, a copy.
    "x.quantile(0.5)": "SqueezeBackward4",
    "x.quantile(torch.tensor([0.1, 0.2]), dim=1)": "SqueezeBackward4",
    "torch.trapezoid(x)": "MulBackward1",
    "torch.trapezoid(x, v)": "DivBackward1",
    "torch.cumulative_trapezoid(x, v)": "DivBackward1",
    "torch.diff(x, 0)": "torch::autograd::CopyBackwards",
    "torch.matrix_power(x[:, :2], 0)": "torch::autograd::CopyBackwards",
    "torch.fft.fft(x)": "FftR2CBackward0",
    "torch.fft.ifft(x)": "ConjBackward0",
    "torch.fft.fft(x + 0j)": "FftC2CBackward0",
    "torch.stft(m.flatten(), 4, window=torch.ones(4), return_complex=True)": "SqueezeBackward4",
    "torch.stft(m.reshape(1, 12), 4, window=torch.ones(4), return_complex=True)": "TransposeBackward1",
    "torch.special.ndtr(x)": "MulBackward1",
    "F.conv1d(b.mT.contiguous() + 0j, torch.ones(1, 2, 1) + 0j)": "AddBackward0",
    "torch.linalg.householder_product(m, v)": "LinalgHouseholderProductBackward0",
    "torch.linalg.lstsq(m, m).residuals": "LinalgLstsqBackward0",
    "torch.triangular_solve(x, x[:, :2])[1]": "TriangularSolveBackward0",
    "torch.unique(x)": "Unique2Backward0",
    "torch.unique_consecutive(v)": "UniqueConsecutiveBackward0",
    "torch.vander(v)": "FlipBackward0",
    "torch.special.round(x)": "RoundBackward1",
    "torch.linalg.matrix_power(x[:, :2], 1)": "CloneBackward0",
    "torch.nn.utils.rnn.pad_sequence([v, m[0, :2]])": "torch::autograd::CopySlices",
    "torch.nn.utils.rnn.pack_padded_sequence(b, [5, 2, 1]).data": "PackPaddedSequenceBackward0",
    "torch.nn.GRU(4, 2, batch_first=True)(q[0])[0]": "TransposeBackward1",
    "torch.nn.LSTM(4, 2, batch_first=True)(q[0])[0]": "TransposeBackward0",
    # No derivative exists, and asking for it is an error.
    "x // 2": "torch::autograd::NotImplemented",
    "torch.heaviside(x, x)": "torch::autograd::NotImplemented",
}

# What is typed, and the node of its gradient taken under `create_graph`.
SLOPES = {
    "x.relu()": "ThresholdBackwardBackward0",
    "x.tanh()": "TanhBackwardBackward0",
    "x.softmax(1)": "SoftmaxBackwardDataBackward0",
    "x.log_softmax(1)": "LogSoftmaxBackwardDataBackward0",
    "F.mse_loss(x, x.detach() + 1)": "MseLossBackwardBackward0",
    "F.smooth_l1_loss(x, x.detach() + 1)": "SmoothL1LossBackwardBackward0",
    "F.gelu(x)": "GeluBackwardBackward0",
    "F.elu(x)": "EluBackwardBackward0",
    "F.softplus(x)": "SoftplusBackwardBackward0",
    "F.layer_norm(x, (3,))": "NativeLayerNormBackwardBackward0",
    "x[0] ** 2": "SelectBackwardBackward0",
    "x[:, 1:] ** 2": "SliceBackwardBackward0",
    "x[None] ** 2": "SqueezeBackward1",
    "x[torch.tensor([1])] ** 2": "IndexPutImplBackward0",
    "x.max(1).values ** 2": "ScatterBackward0",
    "x.max() ** 2": "MaskedFillBackward1",
    "x.gather(1, torch.tensor([[0], [1]])) ** 2": "ScatterAddBackward0",
    "x.masked_fill(x > 3, 0) ** 2": "MaskedFillBackward0",
    "x.mean(1) ** 2": "DivBackward1",
    "x.t() ** 2": "TBackward0",
    "(b.mT * x[0]).pow(2)": "SelectBackwardBackward0",
    "x.expand(4, 2, 3) ** 2": "ViewBackward0",
    "x.reshape(3, 2).sum() ** 2": "ReshapeAliasBackward0",
    "x[0:1, 1].sum() ** 2": "SliceBackwardBackward0",
    "torch.add(x.detach(), x, alpha=2) ** 2": "MulBackward1",
    "x @ b": "TBackward0",
    "F.linear(m, x) ** 2": "TBackward0",
    "(torch.ones(2, 4, 2) @ x) ** 2": "MmBackward0",
    "F.binary_cross_entropy_with_logits(x, x.detach() / 9)": "DivBackward1",
}


def names(torch: Any) -> dict[str, Any]:
    shapes = {"x": (2, 3), "v": (3,), "m": (4, 3), "b": (5, 3, 2), "q": (2, 2, 3, 4)}
    leaves = {name: torch.ones(shape) * 2 for name, shape in shapes.items()}
    leaves["x"] = leaves["x"] + torch.arange(6.0).reshape(2, 3)
    return {"torch": torch, "F": torch.nn.functional, **{k: t.requires_grad_() for k, t in leaves.items()}}


@pytest.mark.filterwarnings("ignore")
def test_names_of_nodes(torch: Any) -> None:
    """`name()`, the class and the printed text of the node are PyTorch's."""
    world = names(torch)
    for typed, name in NAMES.items():
        node = eval(typed, world).grad_fn
        short = name.rpartition("::")[2]
        assert (name, short) == (node.name(), type(node).__name__), typed
        assert repr(node).startswith(f"<{short} object at "), typed
        assert repr(type(node)) == f"<class '{short}'>", typed


def test_names_of_gradients(torch: Any) -> None:
    """A gradient that can be differentiated again names the op PyTorch has for the derivative."""
    world = names(torch)
    for typed, name in SLOPES.items():
        (slope,) = torch.autograd.grad(eval(typed, world).sum(), world["x"], create_graph=True)
        assert slope.grad_fn.name() == name, typed


@pytest.mark.filterwarnings("ignore")
def test_names_stay_when_an_op_has_become_hot(torch: Any) -> None:
    """An op called so often that it got an entry of its own names its nodes as before."""
    world = names(torch)
    for typed in ("x @ b", "x[:1] @ b", "x.detach() @ b", "F.linear(b.mT, m, m[:, 0])", "x % v", "x.sum(1)"):
        first = eval(typed, world).grad_fn.name()
        assert {first} == {eval(typed, world).grad_fn.name() for _ in range(40)}, typed


def test_the_class_is_called_so_from_a_consumer_too(torch: Any) -> None:
    """What `next_functions` leads to has the class name that scripts print while they walk the graph."""
    x = torch.ones(2, 3, requires_grad=True)
    node = x.sum(1).unsqueeze(0).exp().grad_fn
    found = []
    while node is not None:
        found.append(type(node).__name__)
        node = node.next_functions[0][0] if node.next_functions else None
    assert found == ["ExpBackward0", "UnsqueezeBackward0", "SumBackward1", "AccumulateGrad"]


def test_constant_outputs_require_no_grad(torch: Any) -> None:
    """The permutation of an LU decomposition takes no gradient."""
    a = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    p, lower, upper = torch.linalg.lu(a)
    assert [False, True, True] == [each.requires_grad for each in (p, lower, upper)]


def test_positive_and_sum_to_size_give_the_tensor_itself(torch: Any) -> None:
    """`+x` and a sum to the size it has already are no ops."""
    x = torch.ones(2, 3, requires_grad=True)
    assert +x is x
    assert x.sum_to_size(2, 3) is x


def test_floor_division_has_no_derivative(torch: Any) -> None:
    """It requires grad all the same, and backward says so."""
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        (x // 2).sum().backward()


def test_numbers_written_over_a_tensor_cut_its_gradient(torch: Any) -> None:
    """It requires grad as before, and what arrives at what it was is 0."""
    x = torch.ones(3, requires_grad=True)
    y = (x * 2).uniform_()
    assert y.requires_grad
    y.sum().backward()
    assert [0.0, 0.0, 0.0] == x.grad.tolist()


def test_views_without_grad_keep_their_edge(torch):
    """Writing into a view made under no_grad, which leads nowhere, leaves other such views what they are."""
    first, second = (torch.ones(2, 3, requires_grad=True) * 1 for _ in range(2))
    with torch.no_grad():
        view, other = first.view(3, 2), second[:1]
        view.t_()
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
        other.mul_(2)


def test_a_kink_can_be_differentiated_again(torch: Any) -> None:
    """The slope of a piecewise linear activation requires grad, and its gradient is 0."""
    functional = torch.nn.functional
    x = torch.tensor([-1.0, 0.5, 7.0], requires_grad=True)
    for activation, name in (
        (functional.relu, "ThresholdBackwardBackward0"),
        (functional.leaky_relu, "LeakyReluBackwardBackward0"),
        (functional.hardtanh, "HardtanhBackwardBackward0"),
        (functional.relu6, "HardtanhBackwardBackward0"),
    ):
        (slope,) = torch.autograd.grad(activation(x).sum(), x, create_graph=True)
        assert slope.grad_fn.name() == name
        assert torch.autograd.grad(slope.sum(), x)[0].tolist() == [0.0, 0.0, 0.0]


def test_out_of_several_is_returned_by_name(torch: Any) -> None:
    """`out=` of an op with several results comes back under their names."""
    x = torch.tensor([[3.0, 1.0, 2.0]])
    out = (torch.empty(1), torch.empty(1, dtype=torch.int64))
    found = torch.max(x, 1, out=out)
    assert type(found).__name__ == "max_out"
    assert found.values is out[0]
    assert repr(found) == "torch.return_types.max_out(\nvalues=tensor([3.]),\nindices=tensor([0]))"


def test_everything_is_written_without_a_view(torch: Any) -> None:
    """`x[...] = 1` is `fill_`, not a write through a view."""
    x = torch.ones(2, 3, requires_grad=True) * 2
    x[...] = 5.0
    assert x.grad_fn.name() == "FillBackward3"
    x[...] = torch.zeros(3)
    assert x.grad_fn.name() == "torch::autograd::CopyBackwards"
