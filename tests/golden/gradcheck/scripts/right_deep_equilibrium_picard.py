"""A deep equilibrium model whose hook iterates backward only to a tolerance: where it goes on, it is the derivative."""

import dyncore as torch
from dyncore import nn


class DEQ(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.W = nn.Parameter(torch.randn(3, 3) * 0.3)

    def f(self, z, x):
        return torch.tanh(z @ self.W + x)

    def forward(self, x, tolerance: float, factor: float = 1.0):
        with torch.no_grad():
            z = torch.zeros_like(x)
            for _ in range(40):
                z = self.f(z, x)
        z = self.f(z, x)
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def solve(grad):
            g = grad
            for _ in range(100):
                new = torch.autograd.grad(f0, z0, g, retain_graph=True)[0] + grad
                change, g = (new - g).norm(), new
                if change < tolerance * new.norm():
                    break
            return factor * g  # FAULT

        z.register_hook(solve)
        return z


forward = DEQ()

# $ -i 'x=[0.5, -0.3, 0.2]' -i tolerance=1e-3 : right
# $ -i 'x=[0.5, -0.3, 0.2]' -i tolerance=1e-5 : right
# $ -i 'x=[0.5, -0.3, 0.2]' -i tolerance=1e-3 -i factor=1.02 : wrong x,W
