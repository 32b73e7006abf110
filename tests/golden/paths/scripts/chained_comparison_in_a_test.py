def inside(x):
    if 0 < x < 10 <= 20:
        return True
    return False

inside(5)
inside(-1)
inside(12)

# ----
# 0 2:if `0 < x < 10 <= 20` -> then [0 < 5 T, 5 < 10 T, 10 <= 20 T] m5 | inside
# 1 2:if `0 < x < 10 <= 20` -> else [0 < -1 F] m-1 | inside
# 2 2:if `0 < x < 10 <= 20` -> else [0 < 12 T, 12 < 10 F] m-2 | inside
