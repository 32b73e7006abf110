"""Deep layers with rectifiers close to, but not on, their corners."""

import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))

# $ -i '[[0.1, 0.2, 0.3, 0.4]]' : right
# $ -i '[[0.1, 0.2, 0.3, 0.4]]' --order 2 : right
