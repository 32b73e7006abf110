"""A NumPy view writes into what backward needs."""


def forward(x):
    y = x.exp()
    y.detach().numpy()[0] = 7.0  # FAULT
    return y.sin()


# $ -i '[1.0, 2.0]' : wrong|detached x
