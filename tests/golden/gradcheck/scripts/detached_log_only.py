"""Numbers taken out to be looked at, and to decide."""

seen = []


def forward(x):
    seen.append(x.sum().item())
    if x.detach().norm().item() > 1:
        return x * 2
    return x


# $ -i '[1.0, 2.0]' : right
