"""Cut off, and so small beside a constant that the usual step does not see it."""


def forward(x, y):
    return y + x.detach().sin() + 3e9  # FAULT


# $ -i x='[0.5, 1.0]' -i y='[1.0, 2.0]' : detached x
