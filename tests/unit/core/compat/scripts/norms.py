"""Spectral and weight norm, old and new."""

import torch
import torch.nn as nn

torch.manual_seed(19)
m = nn.utils.spectral_norm(nn.Linear(4, 3))
print(m(torch.ones(1, 4)))
m(torch.ones(1, 4)).sum().backward()
print(m.weight_orig.grad)
w = nn.utils.weight_norm(nn.Linear(4, 3), name="weight")
print(w.weight_g.shape, w(torch.ones(1, 4)))
pw = nn.utils.parametrizations.weight_norm(nn.Conv1d(2, 3, 2))
print(pw)
print(list(pw.state_dict()))
ps = nn.utils.parametrizations.spectral_norm(nn.Linear(3, 3))
print(ps(torch.ones(1, 3)))
print(nn.utils.parameters_to_vector(m.parameters()).shape)
