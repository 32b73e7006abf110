"""A hook that hands the gradient on without its history."""


def forward(x):
    y = x**3
    if y.requires_grad:
        y.register_hook(lambda g: g.detach())  # FAULT
    return (y * y).sum()


# $ -i '[0.3, 1.0]' : right
# $ -i '[0.3, 1.0]' --order 2 : wrong|detached x
