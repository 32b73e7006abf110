"""A `while` on a Python number that came out of a tensor: how often it runs is decided by the data."""


def forward(x, limit: float = 100.0):
    """Doubles x until its norm exceeds `limit`."""
    while x.norm().item() < limit:
        x = x * 2
    return x


# $ dyncli run samples/lessons/02_while.py -i '[1, 2, 2]'
# samples/lessons/02_while.py:forward · float32 · seed 0 · 13 ops · 7 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────────────
# output  [3]    float32  [64, 128, 128]
#
# Gradients of output  seeded with ones
# name  shape  dtype    values
# ──────────────────────────────────
# x     [3]    float32  [64, 64, 64]
#
# Decisions
#   #  line  test                           because                       took            left  margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0…6     6  while x.norm().item() < limit  x.norm().item() = 3.0 …       True x6, False             4
#                                           192.0 < limit = 100.0
#                                           (scalar)
