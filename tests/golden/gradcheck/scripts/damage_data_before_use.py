"""A value is changed behind the graph's back before it is used: what follows is right, what came before is not."""


def forward(x):
    y = x * 2
    y.data.mul_(3)  # FAULT
    return (y * y).sum()


# $ -i '[1.0, 2.0]' : wrong x
