"""A deep equilibrium model whose backward hook removes itself: each backward needs a graph of its own."""

import dyncore as torch
from dyncore import nn


class DEQ(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.W = nn.Parameter(torch.randn(3, 3) * 0.2)
        self.hook = None

    def f(self, z, x):
        return torch.tanh(z @ self.W + x)

    def forward(self, x, factor: float = 1.0):
        with torch.no_grad():
            z = torch.zeros_like(x)
            for _ in range(100):
                z = self.f(z, x)
        z = self.f(z, x)
        if self.training:
            z0 = z.clone().detach().requires_grad_()
            f0 = self.f(z0, x)

            def backward_hook(grad):
                if self.hook is not None:
                    self.hook.remove()
                    self.hook = None
                g = grad
                for _ in range(100):
                    g = torch.autograd.grad(f0, z0, g, retain_graph=True)[0] + grad
                return factor * g  # FAULT

            self.hook = z.register_hook(backward_hook)
        return z


forward = DEQ()

# $ -i '[0.5, -0.3, 0.2]' : right
# $ -i x='[0.5, -0.3, 0.2]' -i factor=2.0 : wrong x,W
