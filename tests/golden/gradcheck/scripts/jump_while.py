"""A loop that ends when it is small enough: one turn more on the edge."""


def forward(x):
    turns = 0
    while x > 1:  # NEAR
        x = x / 2
        turns += 1
    return x + turns


# $ -i 8.0 : jump x
# $ -i 7.9 : right
