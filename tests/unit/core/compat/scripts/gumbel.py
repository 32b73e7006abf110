"""Gumbel softmax and distributions."""

import torch
import torch.nn.functional as F

torch.manual_seed(30)
l = torch.randn(3, 4, requires_grad=True)
y = F.gumbel_softmax(l, tau=0.5, hard=True)
print(y)
(y * torch.arange(4.0)).sum().backward()
print(l.grad)
d = torch.distributions.Normal(torch.zeros(2), torch.ones(2))
print(
    d.rsample((2,)),
    d.log_prob(torch.ones(2)),
    torch.distributions.kl_divergence(d, torch.distributions.Normal(1.0, 2.0)),
    torch.distributions.Bernoulli(probs=torch.tensor([0.3])).sample((3,)).T,
    torch.distributions.Beta(2.0, 3.0).mean,
    torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2)).log_prob(torch.ones(2)),
    d,
)
