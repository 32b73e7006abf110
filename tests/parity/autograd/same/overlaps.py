"""Writes whose operands lie on what is written, and writes by position of other dtypes."""

from __future__ import annotations

from tests.parity.autograd.same import err


def operands_on_what_is_written(torch):
    def shifted(x):
        x[1:] = x[:-1]

    def own_row(x):
        x[0] = x[1]

    def rows(x):
        x[0:2] = x[1:3]

    writes = (
        ((4,), shifted), ((3, 3), own_row), ((3, 3), rows),
        ((4,), lambda x: x[1:].copy_(x[:-1])), ((4,), lambda x: x[1:].add_(x[:-1])), ((4,), lambda x: x.add_(x)),
        ((4,), lambda x: x.add_(x[:])), ((3, 3), lambda x: x.add_(x.t())), ((3, 3), lambda x: x.copy_(x.t())),
        ((4,), lambda x: x[::2].add_(x[1::2])), ((4,), lambda x: x[:2].mul_(x[2:])), ((4,), lambda x: x.mul_(x[0])),
        ((4,), lambda x: x[1:].addcmul_(x[:-1], x[:-1])), ((4,), lambda x: x[1:].lerp_(x[:-1], 0.5)),
        ((4,), lambda x: x.sub_(x.mean())), ((4,), lambda x: x[1:].copy_(x[0])), ((4,), lambda x: x.copy_(x[0])),
    )  # fmt: skip
    found = []
    for recorded in (False, True):
        for shape, write in writes:
            x = torch.arange(9.0)[: 4 if len(shape) == 1 else 9].view(shape).clone().requires_grad_(recorded) * 1
            result = err(lambda x=x, write=write: write(x))
            found.append((result if isinstance(result, Exception) else None, x.tolist()))
    return found


def into_what_is_read(torch):
    x = torch.arange(4.0)
    return [
        err(lambda: torch.add(x[1:], x[:-1], out=x[1:])),
        err(lambda: torch.add(x[:2], 1.0, out=x[:2])),
        x,
    ]


def values_of_another_dtype(torch):
    def put(x, index, value):
        x[index] = value
        return x

    mask = torch.tensor([True, False, False])
    values = (
        torch.ones(1), torch.ones(1, dtype=torch.float64), torch.ones(1, dtype=torch.int64),
        torch.ones((), dtype=torch.float64), torch.ones(1, dtype=torch.complex64), 2.5, 2, True,
    )  # fmt: skip
    found = []
    for dtype in (torch.float32, torch.int64, torch.complex64):
        for value in values:
            for index in ([0], mask, 0, slice(0, 2)):
                found.append(
                    err(lambda dtype=dtype, index=index, value=value: put(torch.zeros(3, dtype=dtype), index, value))
                )
    for dtype in (torch.float32, torch.float64, torch.int64):
        found.append(err(lambda dtype=dtype: put(torch.zeros(3, dtype=dtype), 0, 1j)))
    return found
