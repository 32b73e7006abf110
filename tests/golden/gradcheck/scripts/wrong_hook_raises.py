"""A hook raises: no op is at fault."""


def refuse(grad):
    raise ValueError("no gradient wanted")  # FAULT


def forward(x):
    y = x * 2
    y.register_hook(refuse)
    return y.sum()


# $ -i '[1.0, 2.0]' : wrong x
