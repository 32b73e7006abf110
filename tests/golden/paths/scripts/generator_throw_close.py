def g():
    for k in range(9):
        try:
            if (yield k): return
        except ValueError:
            if k < 2: continue
            yield "fixed"
        except GeneratorExit:
            print("closing" if k else "early")
            raise
it = g()
print(next(it), it.throw(ValueError), next(it), it.throw(ValueError()), next(it))
it.close()
for v in g():
    if v: break
a, b = g(), g()
print(next(a), next(b), [x + y for x, y in zip(a, b) if x < 3])
def take(n, it):
    while n > 0 and (v := next(it, None)) is not None:
        yield v
        n -= 1
print(list(take(2, take(3, iter(range(9))))), a.gi_frame is None or "open")
a.close(), b.close(), it.close()

# ----
# 0 2:for `for k in range(9)` -> loop x4 break | g
# 1 3:try `try` -> except ValueError !ValueError | in 2.0 | g | under 0
# 2 6:if `k < 2` -> then [0 < 2 T] m2 | in 2.0 | g | under 1
# 3 4:if `yield k` -> else [yield k=None F] | in 2.1 | g | under 0
# 4 3:try `try` -> except ValueError !ValueError | in 2.2 | g | under 0
# 5 6:if `k < 2` -> else [2 < 2 F] m0 | in 2.2 | g | under 4
# 6 3:try `try` -> except GeneratorExit !GeneratorExit | in 2.3 | g | under 0
# 7 9:ifexp `k` -> then [k=3 T] m3 | in 2.3 | g | under 6
# 8 14:for `for v in g()` -> loop x2 break
# 9 2:for `for k in range(9)` -> loop x2 break | g
# 10 15:if `v` -> else [v=0 F] m0 | in 14.0 | under 8
# 11 4:if `yield k` -> else [yield k=None F] | in 2.0 | g | under 9
# 12 15:if `v` -> then [v=1 T] m1 | in 14.1 | under 8
# 13 3:try `try` -> except GeneratorExit !GeneratorExit | in 2.1 | g | under 9
# 14 9:ifexp `k` -> then [k=1 T] m1 | in 2.1 | g | under 13
# 15 2:for `for k in range(9)` -> loop x9 exhausted | g
# 16 2:for `for k in range(9)` -> loop x9 break | g
# 17 17:comp `for x, y in zip(a, b)` -> loop x8 exhausted
# 18 4:if `yield k` -> else [yield k=None F] | in 2.0 | g | under 15
# 19 4:if `yield k` -> else [yield k=None F] | in 2.0 | g | under 16
# 20 17:compif `x < 3` -> keep [1 < 3 T] m2 | in 17.0 | under 17
# 21 4:if `yield k` -> else [yield k=None F] | in 17.0 2.1 | g | under 15
# 22 4:if `yield k` -> else [yield k=None F] | in 17.0 2.1 | g | under 16
# 23 17:compif `x < 3` -> keep [2 < 3 T] m1 | in 17.1 | under 17
# 24 4:if `yield k` -> else [yield k=None F] | in 17.1 2.2 | g | under 15
# 25 4:if `yield k` -> else [yield k=None F] | in 17.1 2.2 | g | under 16
# 26 17:compif `x < 3` -> drop [3 < 3 F] m0 | in 17.2 | under 17
# 27 4:if `yield k` -> else [yield k=None F] | in 17.2 2.3 | g | under 15
# 28 4:if `yield k` -> else [yield k=None F] | in 17.2 2.3 | g | under 16
# 29 17:compif `x < 3` -> drop [4 < 3 F] m-1 | in 17.3 | under 17
# 30 4:if `yield k` -> else [yield k=None F] | in 17.3 2.4 | g | under 15
# 31 4:if `yield k` -> else [yield k=None F] | in 17.3 2.4 | g | under 16
# 32 17:compif `x < 3` -> drop [5 < 3 F] m-2 | in 17.4 | under 17
# 33 4:if `yield k` -> else [yield k=None F] | in 17.4 2.5 | g | under 15
# 34 4:if `yield k` -> else [yield k=None F] | in 17.4 2.5 | g | under 16
# 35 17:compif `x < 3` -> drop [6 < 3 F] m-3 | in 17.5 | under 17
# 36 4:if `yield k` -> else [yield k=None F] | in 17.5 2.6 | g | under 15
# 37 4:if `yield k` -> else [yield k=None F] | in 17.5 2.6 | g | under 16
# 38 17:compif `x < 3` -> drop [7 < 3 F] m-4 | in 17.6 | under 17
# 39 4:if `yield k` -> else [yield k=None F] | in 17.6 2.7 | g | under 15
# 40 4:if `yield k` -> else [yield k=None F] | in 17.6 2.7 | g | under 16
# 41 17:compif `x < 3` -> drop [8 < 3 F] m-5 | in 17.7 | under 17
# 42 4:if `yield k` -> else [yield k=None F] | in 17.7 2.8 | g | under 15
# 43 19:while `n > 0 and (v := next(it, None)) is not None` -> body #0 [3 > 0 T, 0 is not None T] m3 | take take r1
# 44 19:while `n > 0 and (v := next(it, None)) is not None` -> body #0 [2 > 0 T, 0 is not None T] m2 | take
# 45 19:while `n > 0 and (v := next(it, None)) is not None` -> body #1 [2 > 0 T, 1 is not None T] m2 | in 19.0 | take take r1 | under 44
# 46 19:while `n > 0 and (v := next(it, None)) is not None` -> body #1 [1 > 0 T, 1 is not None T] m1 | take
# 47 19:while `n > 0 and (v := next(it, None)) is not None` -> exit #2 [0 > 0 F] m0 | take
# 48 22:or `a.gi_frame is None or "open"` -> short [None is None T]
# 49 3:try `try` -> except GeneratorExit !GeneratorExit | in 2.8 | g | under 16
# 50 9:ifexp `k` -> then [k=8 T] m8 | in 2.8 | g | under 49
