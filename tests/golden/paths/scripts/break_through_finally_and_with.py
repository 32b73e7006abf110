class CM:
    def __enter__(self): return self
    def __exit__(self, *e): return 1 if e[0] else 0
def f(xs):
    for k in xs:
        try:
            if k == 1: break
        finally:
            if k > 0: k = 9
    if k: pass
def g(xs):
    for k in xs:
        with CM():
            if k == 1: break
    if k: pass
def h(n):
    while n > 0:
        try:
            n -= 1
            if n == 1: break
        finally:
            if n: pass
    x = n
    for k in (1, 2):
        try: break
        finally:
            if k == 1: continue
    else:
        if n: pass
for i in range(2): f((0, 1, 2))
g((0, 1, 2))
h(3)

# ----
# 0 30:for `for i in range(2)` -> loop x2 exhausted
# 1 5:for `for k in xs` -> loop x2 break | in 30.0 | f | under 0
# 2 7:if `k == 1` -> else [0 == 1 F] m-1 | in 30.0 5.0 | f | under 1
# 3 9:if `k > 0` -> else [0 > 0 F] m0 | in 30.0 5.0 | f | under 1
# 4 7:if `k == 1` -> then [1 == 1 T] m0 | in 30.0 5.1 | f | under 1
# 5 9:if `k > 0` -> then [1 > 0 T] m1 | in 30.0 5.1 | f | under 1
# 6 10:if `k` -> then [k=9 T] m9 | in 30.0 | f | under 0
# 7 5:for `for k in xs` -> loop x2 break | in 30.1 | f | under 0
# 8 7:if `k == 1` -> else [0 == 1 F] m-1 | in 30.1 5.0 | f | under 7
# 9 9:if `k > 0` -> else [0 > 0 F] m0 | in 30.1 5.0 | f | under 7
# 10 7:if `k == 1` -> then [1 == 1 T] m0 | in 30.1 5.1 | f | under 7
# 11 9:if `k > 0` -> then [1 > 0 T] m1 | in 30.1 5.1 | f | under 7
# 12 10:if `k` -> then [k=9 T] m9 | in 30.1 | f | under 0
# 13 12:for `for k in xs` -> loop x2 break | g
# 14 14:if `k == 1` -> else [0 == 1 F] m-1 | in 12.0 | g | under 13
# 15 3:ifexp `e[0]` -> else [e[0]=None F] | in 12.0 | g CM.__exit__ | under 13
# 16 14:if `k == 1` -> then [1 == 1 T] m0 | in 12.1 | g | under 13
# 17 3:ifexp `e[0]` -> else [e[0]=None F] | in 12.1 | g CM.__exit__ | under 13
# 18 15:if `k` -> then [k=1 T] m1 | g
# 19 17:while `n > 0` -> body #0 [3 > 0 T] m3 | h
# 20 20:if `n == 1` -> else [2 == 1 F] m-1 | in 17.0 | h | under 19
# 21 22:if `n` -> then [n=2 T] m2 | in 17.0 | h | under 19
# 22 17:while `n > 0` -> body #1 [2 > 0 T] m2 | h
# 23 20:if `n == 1` -> then [1 == 1 T] m0 | in 17.1 | h | under 22
# 24 22:if `n` -> then [n=1 T] m1 | in 17.1 | h | under 22
# 25 24:for `for k in (1, 2)` -> loop x2 break | h
# 26 27:if `k == 1` -> then [1 == 1 T] m0 | in 24.0 | h | under 25
# 27 27:if `k == 1` -> else [2 == 1 F] m-1 | in 24.1 | h | under 25
