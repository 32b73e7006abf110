total = 0
for i in range(2):
    for j in range(3):
        if j > i:
            break
        total += j

# ----
# 0 2:for `for i in range(2)` -> loop x2 exhausted
# 1 3:for `for j in range(3)` -> loop x2 break | in 2.0 | under 0
# 2 4:if `j > i` -> else [0 > 0 F] m0 | in 2.0 3.0 | under 1
# 3 4:if `j > i` -> then [1 > 0 T] m1 | in 2.0 3.1 | under 1
# 4 3:for `for j in range(3)` -> loop x3 break | in 2.1 | under 0
# 5 4:if `j > i` -> else [0 > 1 F] m-1 | in 2.1 3.0 | under 4
# 6 4:if `j > i` -> else [1 > 1 F] m0 | in 2.1 3.1 | under 4
# 7 4:if `j > i` -> then [2 > 1 T] m1 | in 2.1 3.2 | under 4
