"""The value is always the same; its gradient is not."""

import random

import dyncore as torch

chance = random.SystemRandom()


class Noisy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * (2 + chance.random())  # FAULT


def forward(x):
    return Noisy.apply(x)


# $ -i '[1.0, 2.0]' : nondeterministic x
