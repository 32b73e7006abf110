"""An adjoint by Dormand and Prince's method to 1e-4, forward and backward: its errors add up, its `1e-9` is none."""

import dyncore as torch

STAGES = [
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
TIMES = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
ERRORS = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


def solve(field, y, t, end, tolerance=1e-4):
    sign, h = (1.0 if end > t else -1.0), 0.2
    while sign * (end - t) > 1e-9:
        h = min(h, abs(end - t))
        step = sign * h
        slopes = [field(t, y)]
        for weights, part in zip(STAGES, TIMES):
            new = y + step * sum(weight * slope for weight, slope in zip(weights, slopes))
            slopes.append(field(t + part * step, new))
        error = step * sum(weight * slope for weight, slope in zip(ERRORS, slopes))
        ratio = (error / (tolerance + tolerance * torch.maximum(y.abs(), new.abs()))).square().mean().sqrt().item()
        if ratio <= 1:
            t, y = t + step, new
        h = h * min(10.0, max(0.2, 0.9 * (ratio + 1e-10) ** -0.2))
    return y


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, w, factor: float):
        ctx.factor = factor
        end = solve(lambda t, y: -w * y + y.sin() + t, y, 0.0, 1.0)
        ctx.save_for_backward(end, w)
        return end

    @staticmethod
    def backward(ctx, g):
        end, w = ctx.saved_tensors
        n = len(end)

        def field(t, state):
            y, a = state[:n], state[n : 2 * n]
            return torch.cat([-w * y + y.sin() + t, -(y.cos() - w) * a, (y * a).sum().reshape(1)])

        begin = solve(field, torch.cat([end, g, torch.zeros(1, dtype=g.dtype)]), 1.0, 0.0)
        return ctx.factor * begin[n : 2 * n], begin[2 * n], None  # FAULT


def forward(y, w, factor: float = 1.0):
    return Adjoint.apply(y, w, factor).sum()


# $ -i 'y=[0.3, -1.5, 2.0]' -i w=1.2 : right
# $ -i 'y=[1.0, 0.5]' -i w=0.7 : right
# $ -i 'y=[1.0, 0.5]' -i w=0.7 -i factor=1.02 : wrong y
