calls = 0
limit = 4
def even(n):
    global calls
    calls += 1
    if n == 0: return True
    return odd(n - 1)
def odd(n):
    global calls
    calls += 1
    return False if n == 0 else even(n - 1)
def ack(m, n):
    if m == 0: return n + 1
    if n == 0: return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
def hanoi(n, a="a", b="b", c="c"):
    return 0 if n <= 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
print(even(3), odd(3), calls > limit and "many" or "few", ack(1, 2), hanoi(2))
def walk(t): return t if not isinstance(t, tuple) else sum(walk(s) for s in t if s)
print(walk((1, (2, 0, (3,)), 0)))

# ----
# 0 6:if `n == 0` -> else [3 == 0 F] m-3 | even
# 1 11:ifexp `n == 0` -> else [2 == 0 F] m-2 | even odd | under 0
# 2 6:if `n == 0` -> else [1 == 0 F] m-1 | even odd even r1 | under 1
# 3 11:ifexp `n == 0` -> then [0 == 0 T] m0 | even odd even odd r1 | under 2
# 4 11:ifexp `n == 0` -> else [3 == 0 F] m-3 | odd
# 5 6:if `n == 0` -> else [2 == 0 F] m-2 | odd even | under 4
# 6 11:ifexp `n == 0` -> else [1 == 0 F] m-1 | odd even odd r1 | under 5
# 7 6:if `n == 0` -> then [0 == 0 T] m0 | odd even odd even r1 | under 6
# 8 18:and `calls > limit and "many"` -> rest [8 > 4 T] m4
# 9 18:or `calls > limit and "many" or "few"` -> short [calls > limit and "many"='many' T]
# 10 13:if `m == 0` -> else [1 == 0 F] m-1 | ack
# 11 14:if `n == 0` -> else [2 == 0 F] m-2 | ack | under 10
# 12 13:if `m == 0` -> else [1 == 0 F] m-1 | ack ack r1 | under 11
# 13 14:if `n == 0` -> else [1 == 0 F] m-1 | ack ack r1 | under 12
# 14 13:if `m == 0` -> else [1 == 0 F] m-1 | ack ack ack r2 | under 13
# 15 14:if `n == 0` -> then [0 == 0 T] m0 | ack ack ack r2 | under 14
# 16 13:if `m == 0` -> then [0 == 0 T] m0 | ack ack ack ack r3 | under 15
# 17 13:if `m == 0` -> then [0 == 0 T] m0 | ack ack ack r2 | under 13
# 18 13:if `m == 0` -> then [0 == 0 T] m0 | ack ack r1 | under 11
# 19 17:ifexp `n <= 0` -> else [2 <= 0 F] m-2 | hanoi
# 20 17:ifexp `n <= 0` -> else [1 <= 0 F] m-1 | hanoi hanoi r1 | under 19
# 21 17:ifexp `n <= 0` -> then [0 <= 0 T] m0 | hanoi hanoi hanoi r2 | under 20
# 22 17:ifexp `n <= 0` -> then [0 <= 0 T] m0 | hanoi hanoi hanoi r2 | under 20
# 23 17:ifexp `n <= 0` -> else [1 <= 0 F] m-1 | hanoi hanoi r1 | under 19
# 24 17:ifexp `n <= 0` -> then [0 <= 0 T] m0 | hanoi hanoi hanoi r2 | under 23
# 25 17:ifexp `n <= 0` -> then [0 <= 0 T] m0 | hanoi hanoi hanoi r2 | under 23
# 26 19:ifexp `not isinstance(t, tuple)` -> else [isinstance(t, tuple)=True T] | walk
# 27 19:comp `for s in t` -> loop x3 exhausted | walk | under 26
# 28 19:compif `s` -> keep [s=1 T] m1 | in 19.0 | walk | under 27
# 29 19:ifexp `not isinstance(t, tuple)` -> then [isinstance(t, tuple)=False F] | in 19.0 | walk walk r1 | under 28
# 30 19:compif `s` -> keep [s=tuple of 3 T] | in 19.1 | walk | under 27
# 31 19:ifexp `not isinstance(t, tuple)` -> else [isinstance(t, tuple)=True T] | in 19.1 | walk walk r1 | under 30
# 32 19:comp `for s in t` -> loop x3 exhausted | in 19.1 | walk walk r1 | under 31
# 33 19:compif `s` -> keep [s=2 T] m2 | in 19.1 19.0 | walk walk r1 | under 32
# 34 19:ifexp `not isinstance(t, tuple)` -> then [isinstance(t, tuple)=False F] | in 19.1 19.0 | walk walk walk r2 | under 33
# 35 19:compif `s` -> drop [s=0 F] m0 | in 19.1 19.1 | walk walk r1 | under 32
# 36 19:compif `s` -> keep [s=(3,) T] | in 19.1 19.2 | walk walk r1 | under 32
# 37 19:ifexp `not isinstance(t, tuple)` -> else [isinstance(t, tuple)=True T] | in 19.1 19.2 | walk walk walk r2 | under 36
# 38 19:comp `for s in t` -> loop x1 exhausted | in 19.1 19.2 | walk walk walk r2 | under 37
# 39 19:compif `s` -> keep [s=3 T] m3 | in 19.1 19.2 19.0 | walk walk walk r2 | under 38
# 40 19:ifexp `not isinstance(t, tuple)` -> then [isinstance(t, tuple)=False F] | in 19.1 19.2 19.0 | walk walk walk walk r3 | under 39
# 41 19:compif `s` -> drop [s=0 F] m0 | in 19.2 | walk | under 27
