"""`.data`: the same memory, whose writes count apart."""

from __future__ import annotations

from tests.core.autograd.same import err


def counts(torch):
    x = torch.ones(3, 4, requires_grad=True)
    first = x.data
    row, flat, same, again, pieces = first[0], first.view(-1), first.detach(), first.data, first.unbind()
    first.add_(1)
    row.mul_(2)
    same.add_(1)
    pieces[0].add_(1)
    again.add_(1)
    y = x * 1
    part = y.data
    part.add_(1)
    y.add_(1)
    return ([each._version for each in (x, first, row, flat, same, again, pieces[0], y, part, part[0], y[0])], x, y)


def values_saved_from_data(torch):
    """A write through it is noticed by what saved it or its views, not by what saved the tensor itself."""
    out = []
    writes = (
        lambda x, d: d.add_(1), lambda x, d: d[0].add_(1), lambda x, d: d.view(-1).mul_(2), lambda x, d: x.data.add_(1),
        lambda x, d: x.add_(1), lambda x, d: d.detach().add_(1),
    )  # fmt: skip
    saved = (
        lambda x, d, w: w * d,
        lambda x, d, w: w * d[0],
        lambda x, d, w: w * x,
        lambda x, d, w: (w * d.view(2, 3)).exp(),
    )
    for write in writes:
        for use in saved:
            x, w = torch.ones(2, 3), torch.full((3,), 2.0, requires_grad=True)
            d = x.data
            y = use(x, d, w)
            write(x, d)
            found = err(lambda y=y: y.sum().backward())
            out.append((None if found is None else "modified by an inplace" in str(found), w.grad))
    return out
