"""Gradient clipping left in the model."""


def forward(x):
    y = x * 3
    y.register_hook(lambda grad: grad.clamp(-1, 1))  # FAULT
    return y.exp()


# $ -i '[0.3, 0.9]' : wrong x
# $ -i '[-3.0, -2.0]' : right
