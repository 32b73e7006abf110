"""A number where a tensor belongs."""


def forward(x, w):
    scale = w.sum().item()  # FAULT
    return x * scale


# $ -i x='[1.0, 2.0]' -i w='[3.0, 4.0]' : detached w
