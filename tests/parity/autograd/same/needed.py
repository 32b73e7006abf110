"""Writes into what an operation was given or gave: an error only where its derivatives need the value."""

from __future__ import annotations

from tests.parity.autograd.same import err


def operands_that_need_no_gradient(torch):
    """Each of two operands, one of them a constant, is written after use."""
    functions = (
        lambda x, y: x * y, lambda x, y: x / y, lambda x, y: x - y, lambda x, y: x[:, None] * y,
        lambda x, y: x[:, None] / y, lambda x, y: x[None] @ y[:, None], lambda x, y: x @ y,
        lambda x, y: torch.outer(x, y), lambda x, y: torch.maximum(x, y), lambda x, y: torch.atan2(x, y),
        lambda x, y: torch.nn.functional.linear(x[None], y[None]), lambda x, y: torch.bmm(x[None, None], y[None, :, None]),
    )  # fmt: skip
    found = []
    for function in functions:
        for first_is_constant in (False, True):
            for written in (0, 1):
                leaf = torch.tensor([0.5, 0.6], requires_grad=True)
                pair = [leaf * 1.0, torch.tensor([2.0, 3.0])]
                if first_is_constant:
                    pair.reverse()
                out = function(*pair)
                with torch.no_grad():
                    pair[written].mul_(1.5)
                error = err(lambda out=out: out.sum().backward())
                found.append((type(error).__name__, leaf.grad))
    return found


def results_of_writes(torch):
    """What an in-place operation saved of its result is the tensor itself, whose later change is seen."""
    found = []
    for name in ("exp_", "tanh_", "sigmoid_", "sqrt_", "reciprocal_", "relu_", "rsqrt_"):
        for how in ("none", "written", "data", "view"):
            leaf = torch.tensor([0.5, 0.6], requires_grad=True)
            base = leaf * 1.0
            x = base[:1] if how == "view" else base
            getattr(x, name)()
            if how == "written":
                x.add_(1)
            elif how == "data":
                x.data.add_(1)
            elif how == "view":
                base[:1].mul_(2)
            found.append((err(lambda base=base: base.sum().backward()), leaf.grad))
    return found


def values_shown_of_a_product(torch):
    x = torch.tensor([2.0], requires_grad=True)
    constant = torch.tensor([3.0])
    node, other = (x * constant).grad_fn, (constant * x).grad_fn
    return node._saved_self, node._saved_other, other._saved_self, other._saved_other
