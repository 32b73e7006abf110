def g():
    for k in range(9):
        try:
            if (yield k): return
        except GeneratorExit:
            print("closing" if k else "early")
            raise
for v in g():
    if v: break
a, b = g(), g()
print(next(a), next(b))
a.close(), b.close()

# ----
# 0 8:for `for v in g()` -> loop x2 break
# 1 2:for `for k in range(9)` -> loop x2 break | g
# 2 9:if `v` -> else [v=0 F] m0 | in 8.0 | under 0
# 3 4:if `yield k` -> else [yield k=None F] | in 2.0 | g | under 1
# 4 9:if `v` -> then [v=1 T] m1 | in 8.1 | under 0
# 5 3:try `try` -> except GeneratorExit !GeneratorExit | in 2.1 | g | under 1
# 6 6:ifexp `k` -> then [k=1 T] m1 | in 2.1 | g | under 5
# 7 2:for `for k in range(9)` -> loop x1 break | g
# 8 2:for `for k in range(9)` -> loop x1 break | g
# 9 3:try `try` -> except GeneratorExit !GeneratorExit | in 2.0 | g | under 7
# 10 6:ifexp `k` -> else [k=0 F] m0 | in 2.0 | g | under 9
# 11 3:try `try` -> except GeneratorExit !GeneratorExit | in 2.0 | g | under 8
# 12 6:ifexp `k` -> else [k=0 F] m0 | in 2.0 | g | under 11
