"""A gradient that is missing behind float32: steps that its rounding swallows show a zero as well."""

import dyncore as torch


class Decay(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, w):
        ctx.save_for_backward(y, w)
        return y.sin() - w * y

    @staticmethod
    def backward(ctx, g):
        y, w = ctx.saved_tensors
        return g * (y.cos() - w), torch.zeros_like(w)  # FAULT


def forward(y, w):
    y, w = y.float(), w.float()
    for _ in range(5):
        y = y + 0.2 * Decay.apply(y, w)
    return y.sum()


# $ -i 'y=[1.0, 0.5]' -i w=0.7 : wrong w
# $ -i 'y=[1000.0, 0.5]' -i w=0.7 : wrong w
