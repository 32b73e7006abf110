"""Backward a second time: an error where a tensor was saved, none where only shapes and numbers were."""

from __future__ import annotations

from tests.parity.autograd.same import again


def by_position(torch):
    index = torch.tensor([0, 0])
    makers = (
        lambda x: x[0], lambda x: x[:, 1:], lambda x: x[[0, 0]], lambda x: x[index], lambda x: x[:, index],
        lambda x: x[x > 0.3], lambda x: x.index_select(1, index), lambda x: x.gather(1, index.view(2, 1)),
    )  # fmt: skip
    return [again(torch, make) for make in makers]


def written_by_position(torch):
    def put(x, index, value):
        x[index] = value
        return x

    index = torch.tensor([0, 1])
    makers = (
        lambda x: put(x, 0, 1.0), lambda x: put(x, [0, 1], x.detach().clone()), lambda x: put(x, (index, index), 2.0),
        lambda x: x.index_put((index,), x), lambda x: x.fill_(3.0), lambda x: x.mul_(2.0),
    )  # fmt: skip
    return [again(torch, make) for make in makers]


def with_numbers(torch):
    makers = (
        lambda x: torch.fmod(x, 2.0), lambda x: torch.remainder(x, 2.0), lambda x: torch.lerp(x, x.detach(), 0.5),
        lambda x: x * 2.0, lambda x: x / 2.0, lambda x: x**2.0, lambda x: x.clamp(0.2, 0.5), lambda x: x.sum(),
        lambda x: x.var(dim=[0, 1]), lambda x: x.repeat(2, 1), lambda x: torch.cat([x, x]), lambda x: x.double(),
    )  # fmt: skip
    return [again(torch, make) for make in makers]


def moments_over_a_list_of_dimensions(torch):
    x = torch.arange(24.0).view(2, 3, 4).requires_grad_()
    outs = [x.var(dim=[0, 2]), x.std(dim=[1, 2], keepdim=True), *torch.var_mean(x, dim=[2, 0]), *torch.std_mean(x, [1])]
    sum((out * out).sum() for out in outs).backward()
    return outs, x.grad
