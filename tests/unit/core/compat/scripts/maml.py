"""Meta-learning through inner gradient steps."""

import torch

torch.manual_seed(8)
w = torch.randn(1, 8) * 0.1
w2 = torch.randn(8, 1) * 0.1
th = [w.requires_grad_(), w2.requires_grad_()]
f = lambda x, p: (x @ p[0]).tanh() @ p[1]
opt = torch.optim.Adam(th, 0.01)
for it in range(3):
    ml = 0
    for task in range(2):
        a = torch.rand(1) * 2
        x = torch.rand(5, 1) * 4 - 2
        fast = th
        for _ in range(2):
            l = ((f(x, fast) - torch.sin(x * a)) ** 2).mean()
            g = torch.autograd.grad(l, fast, create_graph=True)
            fast = [p - 0.1 * gg for p, gg in zip(fast, g)]
        xq = torch.rand(5, 1)
        ml = ml + ((f(xq, fast) - torch.sin(xq * a)) ** 2).mean()
    opt.zero_grad()
    ml.backward()
    opt.step()
    print(it, ml.item().__round__(6), th[0].grad.norm())
