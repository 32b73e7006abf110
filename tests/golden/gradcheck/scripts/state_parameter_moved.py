"""The parameter moves before each use; the derivative is right where it stands then."""

import dyncore as torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def forward(x):
    with torch.no_grad():
        w.add_(0.01)
    return (w * x).sum()


# $ -i '[1.0, 2.0, 3.0]' : right
