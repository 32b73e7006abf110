"""Cut off on one arm only."""


def forward(x, w):
    if x.sum() > 0:
        return x * w
    return x * w.detach()  # FAULT


# $ -i x='[1.0, 2.0]' -i w='[0.3, 0.4]' : right
# $ -i x='[-1.0, -2.0]' -i w='[0.3, 0.4]' : detached w
