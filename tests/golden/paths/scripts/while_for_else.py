def find(xs, t):
    for i, x in enumerate(xs):
        if x == t: break
    else:
        return None
    return i
n = 0
while n < 3:
    n += 1
    if n == 5: break
else:
    print("while else")
while n:
    n -= 1
    if n == 1:
        for k in range(n):
            if k > 5: break
        else:
            break
else:
    print("never")
for _ in (): pass
else: print("empty")
print(find([1, 2, 3], 2), find([], 1), n)

# ----
# 0 8:while `n < 3` -> body #0 [0 < 3 T] m3
# 1 10:if `n == 5` -> else [1 == 5 F] m-4 | in 8.0 | under 0
# 2 8:while `n < 3` -> body #1 [1 < 3 T] m2
# 3 10:if `n == 5` -> else [2 == 5 F] m-3 | in 8.1 | under 2
# 4 8:while `n < 3` -> body #2 [2 < 3 T] m1
# 5 10:if `n == 5` -> else [3 == 5 F] m-2 | in 8.2 | under 4
# 6 8:while `n < 3` -> exit #3 [3 < 3 F] m0
# 7 13:while `n` -> body #0 [n=3 T] m3
# 8 15:if `n == 1` -> else [2 == 1 F] m-1 | in 13.0 | under 7
# 9 13:while `n` -> body #1 [n=2 T] m2
# 10 15:if `n == 1` -> then [1 == 1 T] m0 | in 13.1 | under 9
# 11 16:for `for k in range(n)` -> loop x1 exhausted | in 13.1 | under 10
# 12 17:if `k > 5` -> else [0 > 5 F] m-5 | in 13.1 16.0 | under 11
# 13 22:for `for _ in ()` -> loop x0 exhausted
# 14 2:for `for i, x in enumerate(xs)` -> loop x2 break | find
# 15 3:if `x == t` -> else [1 == 2 F] m-1 | in 2.0 | find | under 14
# 16 3:if `x == t` -> then [2 == 2 T] m0 | in 2.1 | find | under 14
# 17 2:for `for i, x in enumerate(xs)` -> loop x0 exhausted | find
