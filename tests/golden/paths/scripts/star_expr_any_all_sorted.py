a, *b = (x for x in range(5) if x != 1)
print(a, b, [*b, *(v for v in b if v > 2)], {**{"k": 1}, **({"z": 2} if b else {})})
print(any(x > 2 for x in b), all(x > 2 for x in b), any([]), all(x for x in ()))
if any(x > 3 for x in b) and not all(x % 2 == 0 for x in b): print("some")
print(sorted(b, key=lambda v: (v % 2 == 0, -v)), min(b, key=lambda v: abs(v - 3)), sum(1 for v in b if v & 1))
first = next((v for v in b if v > 2), None)
print("found" if first is not None else "none", next(iter(()), 0) or next(iter([1])))
print(*(f"{v}!" if v > 2 else v for v in b), sep="," if b else ";")
def f(*args, k=0, **kw): return len(args) if args and not kw else k or kw
print(f(*b), f(k=3), f(**{"q": 1}), f())

# ----
# 0 1:comp `for x in range(5)` -> loop x5 exhausted
# 1 1:compif `x != 1` -> keep [0 != 1 T] m1 | in 1.0 | under 0
# 2 1:compif `x != 1` -> drop [1 != 1 F] m0 | in 1.1 | under 0
# 3 1:compif `x != 1` -> keep [2 != 1 T] m1 | in 1.2 | under 0
# 4 1:compif `x != 1` -> keep [3 != 1 T] m2 | in 1.3 | under 0
# 5 1:compif `x != 1` -> keep [4 != 1 T] m3 | in 1.4 | under 0
# 6 2:comp `for v in b` -> loop x3 exhausted
# 7 2:compif `v > 2` -> drop [2 > 2 F] m0 | in 2.0 | under 6
# 8 2:compif `v > 2` -> keep [3 > 2 T] m1 | in 2.1 | under 6
# 9 2:compif `v > 2` -> keep [4 > 2 T] m2 | in 2.2 | under 6
# 10 2:ifexp `b` -> then [b=list of 3 T]
# 11 3:comp `for x in b` -> loop x2 break
# 12 3:comp `for x in b` -> loop x1 break
# 13 3:comp `for x in ()` -> loop x0 exhausted
# 14 4:comp `for x in b` -> loop x3 break
# 15 4:comp `for x in b` -> loop x2 break
# 16 4:if `any(x > 3 for x in b) and not all(x % 2 == 0 for x in b)` -> then [any(x > 3 for x in b)=True T, all(x % 2 == 0 for x in b)=False F]
# 17 5:comp `for v in b` -> loop x3 exhausted
# 18 5:compif `v & 1` -> drop [v & 1=0 F] m0 | in 5.0 | under 17
# 19 5:compif `v & 1` -> keep [v & 1=1 T] m1 | in 5.1 | under 17
# 20 5:compif `v & 1` -> drop [v & 1=0 F] m0 | in 5.2 | under 17
# 21 6:comp `for v in b` -> loop x2 break
# 22 6:compif `v > 2` -> drop [2 > 2 F] m0 | in 6.0 | under 21
# 23 6:compif `v > 2` -> keep [3 > 2 T] m1 | in 6.1 | under 21
# 24 7:ifexp `first is not None` -> then [3 is not None T]
# 25 7:or `next(iter(()), 0) or next(iter([1]))` -> rest [next(iter(()), 0)=0 F] m0
# 26 8:comp `for v in b` -> loop x3 exhausted
# 27 8:ifexp `b` -> then [b=list of 3 T]
# 28 8:ifexp `v > 2` -> else [2 > 2 F] m0 | in 8.0 | under 26
# 29 8:ifexp `v > 2` -> then [3 > 2 T] m1 | in 8.1 | under 26
# 30 8:ifexp `v > 2` -> then [4 > 2 T] m2 | in 8.2 | under 26
# 31 9:ifexp `args and not kw` -> then [args=(2, 3, 4) T, kw=dict of 0 F] | f
# 32 9:ifexp `args and not kw` -> else [args=() F] | f
# 33 9:or `k or kw` -> short [k=3 T] m3 | f | under 32
# 34 9:ifexp `args and not kw` -> else [args=() F] | f
# 35 9:or `k or kw` -> rest [k=0 F] m0 | f | under 34
# 36 9:ifexp `args and not kw` -> else [args=() F] | f
# 37 9:or `k or kw` -> rest [k=0 F] m0 | f | under 36
