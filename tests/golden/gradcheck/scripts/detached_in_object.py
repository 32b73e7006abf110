"""A tensor that an object of the script holds."""

import dyncore as torch


class Scaler:
    def __init__(self):
        self.w = torch.tensor([2.0, 3.0], requires_grad=True)

    def __call__(self, x):
        return (self.w * x).sum() * self.w.detach().sum()  # FAULT


forward = Scaler()


# $ -i '[0.5, 1.0]' : detached forward.w
