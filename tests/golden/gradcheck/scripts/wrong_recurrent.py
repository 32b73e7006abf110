"""A step of a recurrent net, whose derivative forgets the state."""

import dyncore as torch


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, state, x):
        new = torch.tanh(state * 0.5 + x)
        ctx.save_for_backward(new)
        return new

    @staticmethod
    def backward(ctx, grad):
        (new,) = ctx.saved_tensors
        slope = grad * (1 - new * new)
        return slope, slope  # FAULT


def forward(xs):
    state = xs[0] * 0
    for x in xs:
        state = Step.apply(state, x)
    return state


# $ -i '[0.5, -0.3, 0.8]' : wrong xs
