def inside(x):
    ok = 0 <= x < 3
    return ok

inside(1)
inside(-1)

# ----
# 0 2:and `0 <= x < 3` -> rest [0 <= 1 T] m1 | inside
# 1 2:and `0 <= x < 3` -> short [0 <= -1 F] m-1 | inside
