"""What may be written where, and the sentences for what may not."""

from __future__ import annotations

from typing import Any

from tests.parity.autograd.same import err, warns


def parts_that_do_not_fit(torch: Any) -> Any:
    """A value with other dimensions than the part it is written to, before it is asked whether that may be written."""
    z = torch.zeros
    x = torch.rand(2, 3, requires_grad=True)
    tried = (
        (z(3), 0, z(2, 3)), (z(2, 3), 0, z(2, 3)), (z(2, 3), 0, z(1, 3)), (z(2, 3), 0, z(1, 1, 4)), (z(2, 3), 0, z(4)),
        (z(2, 3), slice(None), z(4, 2, 3)), (z(2, 3), slice(None), z(1, 2, 3)), (z(2, 3), (0, 0), z(1, 1)),
        (z(2, 3), (0, 0), z(2)), (z(2, 3), (0, 0), z(2, 2)), (z(2, 3), torch.tensor([0, 1]), z(2, 2, 2)),
        (z(2, 3), torch.tensor([0, 1]), z(2, 2)), (x, 0, z(2, 3)), (x, 0, z(2)), ((x * 1).unbind()[0], slice(0, 2), z(3)),
    )  # fmt: skip
    return [err(lambda t=t, i=i, v=v: t.__setitem__(i, v)) for t, i, v in tried]


def copies_that_do_not_fit(torch: Any) -> Any:
    """`copy_` into too few dimensions, and into others."""
    shapes = (((6,), (2, 3)), ((3,), (2, 3)), ((2, 6), (2, 3)), ((1, 3), (2, 3)), ((1, 6), (2, 2, 3)), ((1,), (2, 3)))
    return [err(lambda a=a, b=b: torch.zeros(a).copy_(torch.zeros(b))) for a, b in shapes]


def of_one_value(torch: Any) -> Any:
    """Elements that share their place take one value, and no operation."""
    found = []
    for write in (lambda e: e.zero_(), lambda e: e.fill_(2), lambda e: e.neg_(), lambda e: e.add_(1), lambda e: e.copy_(torch.zeros(2, 3))):  # fmt: skip
        e = torch.ones(1, 3).expand(2, 3)
        found.append((err(lambda e=e, write=write: write(e)), e))
    return found


def part_of_itself(torch: Any) -> Any:
    """A row written by a slice that is that row."""
    x = torch.arange(6.0).reshape(2, 3)
    x[0] = x.chunk(2)[0]
    x[0] = x[:1]
    return x, err(lambda: x.__setitem__(0, x[:, 0]))


def inputs_of_a_backward_that_is_refused(torch: Any) -> Any:
    """They retain no gradient for it."""
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    said = err(lambda: torch.ones(2).sum().backward(inputs=[y]))
    before = y.retains_grad
    y.sum().backward(inputs=[y])
    return said, before, y.retains_grad, y.grad


def what_was_written_after_it_was_saved(torch: Any) -> Any:
    """The error names the output that the saved tensor is now: a constant's new history, a view's, or none."""
    w = torch.rand(3, requires_grad=True)
    found = []
    for recorded in (False, True):
        for write in (
            lambda y, v: y.mul_(w),
            lambda y, v: y[:2].mul_(w[:2]),
            lambda y, v: y.view(3).mul_(w),
            lambda y, v: v.mul_(w),
            lambda y, v: y.detach().mul_(2),
            lambda y, v: y.detach().view(3).mul_(2),
        ):
            for use_view in (False, True):
                y = w * 1 if recorded else torch.rand(3)
                v = y.view(3)
                z = (v if use_view else y) * w
                write(y, v)
                found.append(err(lambda z=z: z.sum().backward()))
    return found


def version_after_a_mark_of_a_write(torch: Any) -> Any:
    """`mark_dirty` counts beside the writes themselves, and what was saved before is then refused."""

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, write: bool) -> Any:
            if write:
                x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2, None

    found: list[Any] = []
    for write in (True, False):
        for recorded in (True, False):
            x = torch.ones(2, requires_grad=recorded) * 1
            w = torch.ones(2, requires_grad=True)
            y = w * x
            Doubled.apply(x, write)
            found.append((x._version, err(lambda y=y: y.sum().backward())))
    return found


def into_stretched_memory(torch):
    """Some ops may write where several elements lie at one place, with a warning; most may not."""
    mask, first = torch.tensor([[True, False, True], [False, True, False]]), torch.tensor([0])
    ones = torch.ones(1, 3)
    writes = (
        lambda x: x.masked_fill_(mask, 1.0), lambda x: x.masked_fill_(mask[0], torch.tensor(2.0)),
        lambda x: x.index_fill_(1, first, 1.0), lambda x: x.index_fill_(0, first, 1.0), lambda x: x.fill_(2.0),
        lambda x: x.index_put_((first,), ones[0]), lambda x: x.fill_diagonal_(2), lambda x: x.t_(),
        lambda x: x.unsqueeze_(0), lambda x: x.__setitem__([0], 1), lambda x: x.index_add_(0, first, ones),
        lambda x: x.index_copy_(0, first, ones), lambda x: x.add_(1), lambda x: x.copy_(ones), lambda x: x.clamp_(0),
    )  # fmt: skip
    out = []
    for write in writes:
        x = torch.zeros(1, 3).expand(2, 3)
        out.append((err(lambda write=write, x=x: write(x)), x, warns(lambda write=write, x=x: err(lambda: write(x)))))
    return out
