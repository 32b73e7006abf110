def mix(a, b, c):
    return a and b or c

mix(1, 2, 3)
mix(1, 0, 3)
mix(0, 2, 3)

# ----
# 0 2:and `a and b` -> rest [a=1 T] m1 | mix
# 1 2:or `a and b or c` -> short [a and b=2 T] m2 | mix
# 2 2:and `a and b` -> rest [a=1 T] m1 | mix
# 3 2:or `a and b or c` -> rest [a and b=0 F] m0 | mix
# 4 2:and `a and b` -> short [a=0 F] m0 | mix
# 5 2:or `a and b or c` -> rest [a and b=0 F] m0 | mix
