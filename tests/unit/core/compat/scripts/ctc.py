"""Connectionist temporal classification."""

import torch
import torch.nn.functional as F

torch.manual_seed(12)
lp = torch.randn(10, 3, 5, requires_grad=True)
t = torch.randint(1, 5, (3, 4))
l = F.ctc_loss(lp.log_softmax(2), t, (10, 9, 8), (4, 3, 2), reduction="none")
print(l)
l.sum().backward()
print(lp.grad[0])
print(torch.nn.CTCLoss()(lp.log_softmax(2).detach(), t, torch.tensor([10, 10, 10]), torch.tensor([4, 4, 4])))
