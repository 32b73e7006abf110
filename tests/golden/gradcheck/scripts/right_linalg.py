"""Matrix functions: inverse, determinant, decompositions."""

import dyncore as torch


def forward(x):
    a = x @ x.T + torch.eye(3)
    return torch.linalg.inv(a).sum() + torch.logdet(a) + torch.linalg.cholesky(a).sum() + torch.linalg.eigvalsh(a)[0]


# $ -i '[[0.5, 0.1, 0.2], [0.3, 0.7, 0.4], [0.9, -0.2, 0.6]]' : right
