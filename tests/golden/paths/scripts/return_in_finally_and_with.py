class Guard:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        if kind is None:
            return False
        return True

def f(n):
    try:
        with Guard():
            for k in range(3):
                if k == n:
                    return k
        if n > 3:
            raise KeyError(n)
    finally:
        if n:
            n = 0
    return None

f(1)
try:
    f(5)
except KeyError:
    pass

# ----
# 0 12:for `for k in range(3)` -> loop x2 return | f
# 1 13:if `k == n` -> else [0 == 1 F] m-1 | in 12.0 | f | under 0
# 2 13:if `k == n` -> then [1 == 1 T] m0 | in 12.1 | f | under 0
# 3 5:if `kind is None` -> then [None is None T] | f Guard.__exit__
# 4 18:if `n` -> then [n=1 T] m1 | f
# 5 12:for `for k in range(3)` -> loop x3 exhausted | f
# 6 13:if `k == n` -> else [0 == 5 F] m-5 | in 12.0 | f | under 5
# 7 13:if `k == n` -> else [1 == 5 F] m-4 | in 12.1 | f | under 5
# 8 13:if `k == n` -> else [2 == 5 F] m-3 | in 12.2 | f | under 5
# 9 5:if `kind is None` -> then [None is None T] | f Guard.__exit__
# 10 15:if `n > 3` -> then [5 > 3 T] m2 | f
# 11 18:if `n` -> then [n=5 T] m5 | f
# 12 23:try `try` -> except KeyError !KeyError
