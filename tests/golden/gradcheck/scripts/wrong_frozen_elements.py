"""A solver that freezes each element at its tolerance: the root is where the others go on to, and that is judged."""

import dyncore as torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, item: bool, factor: float):
        x = torch.ones_like(a)
        done = torch.zeros_like(a, dtype=torch.bool)
        for _ in range(30):
            new = x - (x**3 + x - a) / (3 * x * x + 1)
            done = done | ((new - x).abs() < 1e-2)
            step = (new - x).abs().max()
            x = torch.where(done, x, new)
            if item and step.item() < 1e-2:
                break
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.factor * g / (3 * x * x + 1), None, None  # FAULT


def forward(a, item: bool = False, factor: float = 1.0):
    return Root.apply(a, item, factor).sum()


# $ -i 'a=[2.2, 5.0]' : right
# $ -i 'a=[2.2, 5.0]' -i item=True : right
# $ -i a=2.0 : right
# $ -i 'a=[2.2, 5.0]' -i factor=1.1 : wrong a
# $ -i a=5.0 -i item=True -i factor=-1.0 : wrong a
# $ -i a=2.0 -i factor=0.0 : wrong a
