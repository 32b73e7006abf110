"""Copies, state dicts and what load_state_dict refuses."""

import copy
import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(27)
m = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
m2 = copy.deepcopy(m)
o = torch.optim.Adam(m.parameters())
m(torch.ones(1, 2)).sum().backward()
o.step()
print(m2.load_state_dict(m.state_dict()))
print(torch.equal(m2[0].weight, m[0].weight))
sd = o.state_dict()
print(sd["param_groups"][0]["lr"], sd["state"][0]["step"], sorted(sd["state"][0]))
try:
    m.load_state_dict({"0.weight": torch.zeros(1, 1), "foo": torch.ones(1)})
except RuntimeError as e:
    print(e)
for n, p in m.named_parameters():
    print(n, tuple(p.shape), p.requires_grad)
print(list(m.children())[1], m.training, m.eval().training, [n for n, _ in m.named_modules()])
