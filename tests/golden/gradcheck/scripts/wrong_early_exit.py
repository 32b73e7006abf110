"""A net that stops as soon as it is sure; the head of the first exit has a wrong derivative."""

import dyncore as torch
from dyncore import nn

torch.manual_seed(0)


class Head(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.softmax(-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * grad  # FAULT


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x, sure=0.5):
        for layer in self.layers:
            x = torch.tanh(layer(x))
            scores = Head.apply(x * 4) if layer is self.layers[0] else (x * 4).softmax(-1)
            if scores.max() > sure:
                return scores
        return scores


model = Net()

# $ -i x='[0.3, 0.9, -0.5]' -i sure=0.35 : wrong x,layers.0.weight,layers.0.bias
# $ -i x='[0.3, 0.9, -0.5]' -i sure=0.999 : right
