from contextlib import suppress

def f():
    with suppress(ZeroDivisionError):
        for n in (1, 0, 2):
            if 1 / n > 5:
                return n
    x = 1 if n == 0 else 2
    return x

f()

# ----
# 0 5:for `for n in (1, 0, 2)` -> loop x2 raise | f
# 1 6:if `1 / n > 5` -> else [1.0 > 5 F] m-4 | in 5.0 | f | under 0
# 2 8:ifexp `n == 0` -> then [0 == 0 T] m0 | f
