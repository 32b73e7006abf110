"""Lists as indices: of numbers they are an array, with anything else in them a tuple, of which PyTorch warns."""

from __future__ import annotations

from tests.parity.autograd.same import err, warns


def _indices(torch):
    first, second = torch.tensor([0, 1]), torch.tensor([1, 2])
    return (
        [0, 1], [[0, 1]], [[0, 1], [1, 2]], [[0, 1], [1, 2], [0, 3]], [slice(None), 0], [None, 0], [..., 0],
        [first, second], [first], [(0, 1), (1, 2)], [True, False], [[True, False]], [[]], [],
        [slice(None), [1, 2], [2, 1]], [[0, 1], slice(None), slice(None)], [first, ...], [[[0, 1]]], [[0, 1], [1, 2]] * 20,
    )  # fmt: skip


def picked(torch):
    x = torch.arange(24.0).view(2, 3, 4).requires_grad_()
    out = []
    for index in (*_indices(torch), [[0], 1]):
        y = err(lambda index=index: x[index])
        grad = None if isinstance(y, Exception) else torch.autograd.grad(y.sum(), x)
        out.append((y, grad, warns(lambda index=index: err(lambda: x[index]))))
    return out


def written(torch):
    out = []
    for index in _indices(torch):
        x, value = torch.arange(24.0).view(2, 3, 4).requires_grad_(), torch.tensor(5.0, requires_grad=True)
        y = x.clone()

        def put(y=y, index=index, value=value):
            y[index] = value

        error = err(put)
        y.sum().backward()
        out.append((error, y if error is None else None, x.grad, value.grad))
    return out
