"""A Function that solves the adjoint equation by adaptive steps of its own: off by its tolerance, and not wrong."""

import dyncore as torch


def solve(field, state, start, end, tolerance):
    t, h = start, 0.1 * (end - start)
    while abs(end - t) > 1e-9:
        h = end - t if abs(h) > abs(end - t) else h
        k = field(state)
        low = state + h * k
        high = state + h / 2 * (k + field(low))
        error = (high - low).abs().max().item()
        if error < tolerance:
            t, state = t + h, high
        h = h * min(3.0, max(0.2, 0.9 * (tolerance / (error + 1e-12)) ** 0.5))
    return state


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, w, factor: float):
        ctx.factor = factor
        end = solve(lambda y: -w * y + y.sin(), y, 0.0, 0.5, 1e-3)
        ctx.save_for_backward(end, w)
        return end

    @staticmethod
    def backward(ctx, g):
        end, w = ctx.saved_tensors
        n = len(end)

        def field(state):
            y, a = state[:n], state[n : 2 * n]
            slope = ctx.factor * y.cos() - w
            return torch.cat([-w * y + y.sin(), -slope * a, (y * a).sum().reshape(1)])

        begin = solve(field, torch.cat([end, g, torch.zeros(1, dtype=g.dtype)]), 0.5, 0.0, 1e-3)
        return begin[n : 2 * n], begin[2 * n], None  # FAULT


def forward(y, w, factor: float):
    return Adjoint.apply(y, w, factor).sum()


# $ -i 'y=[1.0, 0.5]' -i 'w=0.7' -i 'factor=1.0' : right
# $ -i 'y=[0.3, 1.5]' -i 'w=1.2' -i 'factor=1.0' : right
# $ -i 'y=[1.0, 0.5]' -i 'w=0.7' -i 'factor=1.02' : wrong y|y,w
