class Dying:
    def __init__(self, n):
        self.n = n
    def __del__(self):
        if self.n:
            self.n = 0

def f(n):
    dying = Dying(n)
    if n > 0:
        del dying
        n = -n
    return abs(n) if n else 0

f(1)
f(0)

# ----
# 0 10:if `n > 0` -> then [1 > 0 T] m1 | f
# 1 5:if `self.n` -> then [self.n=1 T] m1 | f Dying.__del__ | under 0
# 2 13:ifexp `n` -> then [n=-1 T] m1 | f
# 3 10:if `n > 0` -> else [0 > 0 F] m0 | f
# 4 13:ifexp `n` -> else [n=0 F] m0 | f
# 5 5:if `self.n` -> else [self.n=0 F] m0 | Dying.__del__
