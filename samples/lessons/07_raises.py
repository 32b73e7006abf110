"""A run that fails half-way still shows what it did up to there, and your own line."""


def forward(x, w):
    """The product of two matrices that may not fit."""
    scaled = x / x.max()
    return scaled @ w


# $ dyncli run samples/lessons/07_raises.py -i '[[1, 2, 3]]' -i '[[1, 2, 3]]'
# samples/lessons/07_raises.py:forward · float32 · seed 0 · 3 ops · 0 decisions
#
# Stopped: the script raised in matmul (op 2) at samples/lessons/07_raises.py:7
#   samples/lessons/07_raises.py:7 in forward
#     return scaled @ w
# RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x3 and 1x3)
# hint: the inner sizes are 3 and 1; the second transposed (`.T`) would fit
# in matmul at samples/lessons/07_raises.py:7: `return scaled @ w`, on shapes [1, 3], [1, 3]
# error: RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x3 and 1x3) (at samples/lessons/07_raises.py:7)
#
# hint: the inner sizes are 3 and 1; the second transposed (`.T`) would fit
