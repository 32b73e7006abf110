from contextlib import contextmanager
@contextmanager
def scale(k):
    if k: y = k
    else: y = 1
    try:
        yield y
    except ZeroDivisionError:
        if y > 1: return
        raise
    finally:
        if k == 0: k = 1
def contextmanager(x):
    with scale(2) as s:
        if s > 1: 1 / 0
    with scale(0) as s:
        x = x * s if s else x
    return x
def acc():
    total, n = 0, 0
    while (v := (yield total)) is not None:
        total += v if v > 0 else 0
        n += 1
        if n >= 3: break
    else:
        total = -1
    return total
def sendloop(x):
    g = acc(); next(g)
    for v in (1, -2):
        g.send(v)
    try: g.send(5)
    except StopIteration as e: r = e.value
    h = acc(); next(h)
    try: h.send(None)
    except StopIteration as e: q = e.value
    return x * (r - q)
def src(n):
    for i in range(n):
        yield i if i % 2 else -i
def flt(it):
    for v in it:
        if v > 0:
            yield v
def generator_pipeline(x):
    tot = 0
    for v in flt(src(4)):
        tot = tot + v if v < 3 else tot
    return x * tot
print(contextmanager(1.0), sendloop(1.0), generator_pipeline(1.0))

# ----
# 0 4:if `k` -> then [k=2 T] m2 | contextmanager scale
# 1 15:if `s > 1` -> then [2 > 1 T] m1 | contextmanager
# 2 6:try `try` -> except ZeroDivisionError !ZeroDivisionError | contextmanager scale
# 3 9:if `y > 1` -> then [2 > 1 T] m1 | contextmanager scale | under 2
# 4 12:if `k == 0` -> else [2 == 0 F] m-2 | contextmanager scale
# 5 4:if `k` -> else [k=0 F] m0 | contextmanager scale
# 6 17:ifexp `s` -> then [s=1 T] m1 | contextmanager
# 7 12:if `k == 0` -> then [0 == 0 T] m0 | contextmanager scale
# 8 30:for `for v in (1, -2)` -> loop x2 exhausted | sendloop
# 9 21:while `(v := (yield total)) is not None` -> body #0 [1 is not None T] | in 30.0 | sendloop acc | under 8
# 10 22:ifexp `v > 0` -> then [1 > 0 T] m1 | in 30.0 21.0 | sendloop acc | under 9
# 11 24:if `n >= 3` -> else [1 >= 3 F] m-2 | in 30.0 21.0 | sendloop acc | under 9
# 12 21:while `(v := (yield total)) is not None` -> body #1 [-2 is not None T] | in 30.1 | sendloop acc | under 8
# 13 22:ifexp `v > 0` -> else [-2 > 0 F] m-2 | in 30.1 21.1 | sendloop acc | under 12
# 14 24:if `n >= 3` -> else [2 >= 3 F] m-1 | in 30.1 21.1 | sendloop acc | under 12
# 15 21:while `(v := (yield total)) is not None` -> body #2 [5 is not None T] | sendloop acc
# 16 22:ifexp `v > 0` -> then [5 > 0 T] m5 | in 21.2 | sendloop acc | under 15
# 17 24:if `n >= 3` -> then [3 >= 3 T] m0 | in 21.2 | sendloop acc | under 15
# 18 32:try `try` -> except StopIteration !StopIteration | sendloop
# 19 21:while `(v := (yield total)) is not None` -> exit #0 [None is not None F] | sendloop acc
# 20 35:try `try` -> except StopIteration !StopIteration | sendloop
# 21 47:for `for v in flt(src(4))` -> loop x2 exhausted | generator_pipeline
# 22 42:for `for v in it` -> loop x4 exhausted | generator_pipeline flt
# 23 39:for `for i in range(n)` -> loop x4 exhausted | generator_pipeline flt src
# 24 40:ifexp `i % 2` -> else [i % 2=0 F] m0 | in 39.0 | generator_pipeline flt src | under 23
# 25 43:if `v > 0` -> else [0 > 0 F] m0 | in 42.0 | generator_pipeline flt | under 22
# 26 40:ifexp `i % 2` -> then [i % 2=1 T] m1 | in 39.1 | generator_pipeline flt src | under 23
# 27 43:if `v > 0` -> then [1 > 0 T] m1 | in 42.1 | generator_pipeline flt | under 22
# 28 48:ifexp `v < 3` -> then [1 < 3 T] m2 | in 47.0 | generator_pipeline | under 21
# 29 40:ifexp `i % 2` -> else [i % 2=0 F] m0 | in 39.2 | generator_pipeline flt src | under 23
# 30 43:if `v > 0` -> else [-2 > 0 F] m-2 | in 42.2 | generator_pipeline flt | under 22
# 31 40:ifexp `i % 2` -> then [i % 2=1 T] m1 | in 39.3 | generator_pipeline flt src | under 23
# 32 43:if `v > 0` -> then [3 > 0 T] m3 | in 42.3 | generator_pipeline flt | under 22
# 33 48:ifexp `v < 3` -> else [3 < 3 F] m0 | in 47.1 | generator_pipeline | under 21
