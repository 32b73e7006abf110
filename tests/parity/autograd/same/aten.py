"""`torch.ops.aten`: ops by the names of PyTorch's own library."""

from __future__ import annotations

from tests.parity.autograd.same import err


def ops_and_overloads(torch):
    aten, x = torch.ops.aten, torch.arange(6.0).view(2, 3)
    return (
        [
            aten.mm(x, x.t()), aten.mm.default(x, x.t()), aten.sum.dim_IntList(x, [1]), aten.add.Tensor(x, x),
            aten.view.default(x, (-1,)), aten.expand.default(x[:, :1], (-1, 3)), aten.unfold.default(x, 1, 2, 1),
            aten.var_mean.correction(x)[0], aten.select.int(x, 0, 1), aten.slice.Tensor(x, 1, 1, 3), aten.relu(x),
            aten.add_.Tensor(x.clone(), 1),
        ],
        (aten.mm is aten.mm, aten.mm.default is aten.mm.default, aten.mm.default == aten.sin.default),
        (str(aten.mm), str(aten.mm.default), str(aten.mm.default.overloadpacket)),
        type(err(lambda: aten.no_such_op)).__name__,
    )  # fmt: skip


def gradients_of_convolutions(torch):
    backward = torch.ops.aten.convolution_backward
    x, w, g = torch.arange(16.0).view(1, 1, 4, 4), torch.ones(2, 1, 2, 2), torch.ones(1, 2, 3, 3)
    rest = ((2,), (1, 1), (0, 0), (1, 1), False, (0, 0), 1)
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(w, torch.ones_like(w))
        of_weight = forward.unpack_dual(backward(g, x, dual, *rest, (True, False, False))[0])
    leaf = w.clone().requires_grad_()
    twice = torch.autograd.grad(backward(g, x, leaf, *rest, (True, False, False))[0].pow(2).sum(), leaf)
    masks = ((True, True, True), (False, True, False), (False, False, True))
    return ([backward(g, x, w, *rest, mask) for mask in masks], tuple(of_weight), twice)
