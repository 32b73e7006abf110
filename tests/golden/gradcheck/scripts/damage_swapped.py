"""Two values swapped behind autograd's back."""


def forward(x):
    a = x.sin()
    b = x.cos()
    p = a * b
    t = a.detach().clone()
    a.detach().copy_(b.detach())  # FAULT
    b.detach().copy_(t)  # FAULT
    return p.sum()


# $ -i '[0.3, 1.0]' : wrong|detached x
