def pick(a, b, c):
    x = a or b or c
    y = a and b and c
    return x, y

pick(0, "", 3)
pick(1, 2, 3)
pick(1, 0, 3)

# ----
# 0 2:or `a or b or c` -> rest [a=0 F, b='' F] m0 | pick
# 1 3:and `a and b and c` -> short [a=0 F] m0 | pick
# 2 2:or `a or b or c` -> short [a=1 T] m1 | pick
# 3 3:and `a and b and c` -> rest [a=1 T, b=2 T] m1 | pick
# 4 2:or `a or b or c` -> short [a=1 T] m1 | pick
# 5 3:and `a and b and c` -> short [a=1 T, b=0 F] m0 | pick
