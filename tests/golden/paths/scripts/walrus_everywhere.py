import itertools
data = iter([3, 1, 0, 7])
while (n := next(data, None)) is not None:
    if (half := n // 2) and (double := half * 2) < 5:
        print(n, half, double)
    elif not (m := n):
        break
total = 0
print([total := total + v for v in range(3) if (last := v) > 0], total, last)
print((y := 3) if (x := 0) else (y := 4), x, y)
if any((hit := v) > 2 for v in (1, 2, 3, 4)):
    print(hit)
print(f"{(z := 5) if x == 0 else 0}", z)

# ----
# 0 3:while `(n := next(data, None)) is not None` -> body #0 [3 is not None T]
# 1 4:if `(half := n // 2) and (double := half * 2) < 5` -> then [half := n // 2=1 T, 2 < 5 T] m1 | in 3.0 | under 0
# 2 3:while `(n := next(data, None)) is not None` -> body #1 [1 is not None T]
# 3 4:if `(half := n // 2) and (double := half * 2) < 5` -> else [half := n // 2=0 F] m0 | in 3.1 | under 2
# 4 6:elif `not (m := n)` -> else [m := n=1 T] m-1 | in 3.1 | under 3
# 5 3:while `(n := next(data, None)) is not None` -> body #2 [0 is not None T]
# 6 4:if `(half := n // 2) and (double := half * 2) < 5` -> else [half := n // 2=0 F] m0 | in 3.2 | under 5
# 7 6:elif `not (m := n)` -> then [m := n=0 F] m0 | in 3.2 | under 6
# 8 9:comp `for v in range(3)` -> loop x3 exhausted
# 9 9:compif `(last := v) > 0` -> drop [0 > 0 F] m0 | in 9.0 | under 8
# 10 9:compif `(last := v) > 0` -> keep [1 > 0 T] m1 | in 9.1 | under 8
# 11 9:compif `(last := v) > 0` -> keep [2 > 0 T] m2 | in 9.2 | under 8
# 12 10:ifexp `x := 0` -> else [x := 0=0 F] m0
# 13 11:comp `for v in (1, 2, 3, 4)` -> loop x3 break
# 14 11:if `any((hit := v) > 2 for v in (1, 2, 3, 4))` -> then [any((hit := v) > 2 for v in (1, 2, 3, 4))=True T]
# 15 13:ifexp `x == 0` -> then [0 == 0 T] m0
