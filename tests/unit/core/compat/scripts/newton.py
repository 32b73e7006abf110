"""Newton's method with Hessians."""

import torch

f = lambda x: (x[0] - 1) ** 4 + (x[1] + 2) ** 2 + x[0] * x[1]
x = torch.tensor([3.0, 3.0], dtype=torch.float64)
for i in range(6):
    H = torch.autograd.functional.hessian(f, x)
    J = torch.autograd.functional.jacobian(f, x)
    x = x - torch.linalg.solve(H, J)
    print(i, x, f(x))
x = torch.tensor(2.0, requires_grad=True)
y = x**3
g = torch.autograd.grad(y, x, create_graph=True)[0]
print(g, torch.autograd.grad(g, x)[0])
