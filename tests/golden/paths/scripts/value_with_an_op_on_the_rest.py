def scale(x, k):
    return x > 0 and x * k + len(str(x))

scale(2, 3)
scale(-2, 3)

# ----
# 0 2:and `x > 0 and x * k + len(str(x))` -> rest [2 > 0 T] m2 | scale
# 1 2:and `x > 0 and x * k + len(str(x))` -> short [-2 > 0 F] m-2 | scale
