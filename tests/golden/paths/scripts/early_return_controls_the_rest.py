def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    y = x if x != 0 else 1
    return y

clamp(5, 0, 3)
clamp(2, 0, 3)

# ----
# 0 2:if `x < low` -> else [5 < 0 F] m-5 | clamp
# 1 4:if `x > high` -> then [5 > 3 T] m2 | clamp | under 0
# 2 2:if `x < low` -> else [2 < 0 F] m-2 | clamp
# 3 4:if `x > high` -> else [2 > 3 F] m-1 | clamp | under 2
# 4 6:ifexp `x != 0` -> then [2 != 0 T] m2 | clamp | under 3
