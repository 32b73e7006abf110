"""A mutable default that grows."""


def forward(x, seen=[]):  # noqa: B006
    seen.append(1)
    return x * len(seen)


# $ -i '[1.0, 2.0]' : right
