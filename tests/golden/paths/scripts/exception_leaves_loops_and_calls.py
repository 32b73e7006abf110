def inner(n):
    for k in range(5):
        if k == n:
            raise RuntimeError

def outer():
    for n in range(2):
        try:
            inner(n)
        except RuntimeError:
            continue
    if n:
        return "done"

outer()

# ----
# 0 7:for `for n in range(2)` -> loop x2 exhausted | outer
# 1 2:for `for k in range(5)` -> loop x1 raise | in 7.0 | outer inner | under 0
# 2 3:if `k == n` -> then [0 == 0 T] m0 | in 7.0 2.0 | outer inner | under 1
# 3 8:try `try` -> except RuntimeError !RuntimeError | in 7.0 | outer | under 0
# 4 2:for `for k in range(5)` -> loop x2 raise | in 7.1 | outer inner | under 0
# 5 3:if `k == n` -> else [0 == 1 F] m-1 | in 7.1 2.0 | outer inner | under 4
# 6 3:if `k == n` -> then [1 == 1 T] m0 | in 7.1 2.1 | outer inner | under 4
# 7 8:try `try` -> except RuntimeError !RuntimeError | in 7.1 | outer | under 0
# 8 12:if `n` -> then [n=1 T] m1 | outer
