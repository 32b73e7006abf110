"""A `match` on a number made from the input."""


def forward(x):
    match int(x.item() // 1):
        case 0:
            return x
        case 1:
            return x * 3
        case _:
            return x * 5


# $ -i 1.0 : jump x
# $ -i 1.5 : right
