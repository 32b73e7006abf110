"""Neural ODE: adaptive Dormand-Prince with error control, adjoint method as an autograd.Function."""

import torch
from torch import nn

A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
B4 = [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40]


def rk_step(f, t, y, h):
    ks = []
    for row in A:
        yi = y + h * sum((a * k for a, k in zip(row, ks)), torch.zeros_like(y))
        ks.append(f(t, yi))
    y5 = y + h * sum(a * k for a, k in zip(A[-1] + [0], ks))
    return y5, h * sum((a - b) * k for a, b, k in zip(A[-1] + [0], B4, ks))


def odeint(f, y, t0, t1, rtol=1e-5, atol=1e-7):
    t, h, n, rej = t0, (t1 - t0) / 10, 0, 0
    while (t1 - t) * (1 if t1 > t0 else -1) > 1e-12:
        if abs(h) > abs(t1 - t):
            h = t1 - t
        y1, err = rk_step(f, t, y, h)
        tol = atol + rtol * torch.maximum(y.abs(), y1.abs())
        ratio = (err / tol).pow(2).mean().sqrt()
        if ratio <= 1:
            t, y, n = t + h, y1, n + 1
        else:
            rej += 1
        with torch.no_grad():
            h = h * float((0.9 * ratio.clamp_min(1e-10) ** -0.2).clamp(0.2, 5.0))
    odeint.stats = (n, rej)
    return y


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, y0, t0, t1, *params):
        ctx.func, ctx.t0, ctx.t1 = func, t0, t1
        with torch.no_grad():
            y1 = odeint(func, y0, t0, t1)
        ctx.save_for_backward(y1)
        ctx.params = params
        return y1

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (y1,) = ctx.saved_tensors
        shapes = [p.shape for p in ctx.params]
        sizes = [p.numel() for p in ctx.params]
        n = y1.numel()

        def aug(t, s):
            y, a = s[:n].view_as(y1), s[n : 2 * n].view_as(y1)
            with torch.enable_grad():
                y = y.detach().requires_grad_(True)
                f = ctx.func(t, y)
                gs = torch.autograd.grad(f, (y, *ctx.params), -a, allow_unused=True)
            return torch.cat(
                [f.detach().flatten()]
                + [torch.zeros_like(p).flatten() if gi is None else gi.flatten() for gi, p in zip(gs, (y, *ctx.params))]
            )

        s0 = torch.cat([y1.flatten(), g.flatten(), g.new_zeros(sum(sizes))])
        s = odeint(aug, s0, ctx.t1, ctx.t0)
        grads = [p.view(sh) for p, sh in zip(s[2 * n :].split(sizes), shapes)]
        return (None, s[n : 2 * n].view_as(y1), None, None, *grads)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.0)
            p.data.add_(torch.sin(torch.arange(p.numel(), dtype=p.dtype).reshape(p.shape) + i) * 0.4)
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y**3)


torch.set_default_dtype(torch.float64)
true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
y0 = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.5, -1.5]])
with torch.no_grad():
    target = odeint(lambda t, y: (y**3) @ true_A, y0, 0.0, 0.5)
print(target, odeint.stats)
f = Field()
opt = torch.optim.Adamax(f.parameters(), lr=2e-2)
for it in range(20):
    f.nfe = 0
    y = Adjoint.apply(f, y0, 0.0, 0.5, *f.parameters()) if it % 2 else odeint(f, y0, 0.0, 0.5)
    loss = torch.nn.functional.huber_loss(y, target, delta=0.5)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, f"{loss.item():.9f}", odeint.stats, f.nfe)
