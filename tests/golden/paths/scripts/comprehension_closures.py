fs = [lambda v=k: v > 1 for k in range(3) if k != 0]
print([f() for f in fs if f()], [f() or -1 for f in fs])
gs = [(lambda: k if k else "zero") for k in range(2)]
print([g() for g in gs])
print([[y for y in range(x) if y % 2 == x % 2] for x in range(4) if x > 1])
nested = ((a, b) for a in range(3) if a for b in (c for c in range(a) if c >= 0) if a != b)
print(list(nested))
def outer(n):
    return [inner(k) for k in range(n) if (lambda z: z != 1)(k)]
def inner(k):
    return {k: "even" if k % 2 == 0 else "odd"}
print(outer(3), dict((k, v) for d in outer(3) for k, v in d.items() if v))
it = (print("made", x) or x for x in range(3) if x)
print(next(it), "between", list(it))
print(list(x for x in range(5) if x if x > 2), sum([1 for _ in "ab" if _ < "b"]))

# ----
# 0 1:comp `for k in range(3)` -> loop x3 exhausted
# 1 1:compif `k != 0` -> drop [0 != 0 F] m0 | in 1.0 | under 0
# 2 1:compif `k != 0` -> keep [1 != 0 T] m1 | in 1.1 | under 0
# 3 1:compif `k != 0` -> keep [2 != 0 T] m2 | in 1.2 | under 0
# 4 2:comp `for f in fs` -> loop x2 exhausted
# 5 2:compif `f()` -> drop [f()=False F] | in 2.0 | under 4
# 6 2:compif `f()` -> keep [f()=True T] | in 2.1 | under 4
# 7 2:comp `for f in fs` -> loop x2 exhausted
# 8 2:or `f() or -1` -> rest [f()=False F] | in 2.0 | under 7
# 9 2:or `f() or -1` -> short [f()=True T] | in 2.1 | under 7
# 10 3:comp `for k in range(2)` -> loop x2 exhausted
# 11 4:comp `for g in gs` -> loop x2 exhausted
# 12 3:ifexp `k` -> then [k=1 T] m1 | in 4.0 | <lambda> | under 11
# 13 3:ifexp `k` -> then [k=1 T] m1 | in 4.1 | <lambda> | under 11
# 14 5:comp `for x in range(4)` -> loop x4 exhausted
# 15 5:compif `x > 1` -> drop [0 > 1 F] m-1 | in 5.0 | under 14
# 16 5:compif `x > 1` -> drop [1 > 1 F] m0 | in 5.1 | under 14
# 17 5:compif `x > 1` -> keep [2 > 1 T] m1 | in 5.2 | under 14
# 18 5:comp `for y in range(x)` -> loop x2 exhausted | in 5.2 | under 17
# 19 5:compif `y % 2 == x % 2` -> keep [0 == 0 T] m0 | in 5.2 5.0 | under 18
# 20 5:compif `y % 2 == x % 2` -> drop [1 == 0 F] m-1 | in 5.2 5.1 | under 18
# 21 5:compif `x > 1` -> keep [3 > 1 T] m2 | in 5.3 | under 14
# 22 5:comp `for y in range(x)` -> loop x3 exhausted | in 5.3 | under 21
# 23 5:compif `y % 2 == x % 2` -> drop [0 == 1 F] m-1 | in 5.3 5.0 | under 22
# 24 5:compif `y % 2 == x % 2` -> keep [1 == 1 T] m0 | in 5.3 5.1 | under 22
# 25 5:compif `y % 2 == x % 2` -> drop [0 == 1 F] m-1 | in 5.3 5.2 | under 22
# 26 6:comp `for a in range(3)` -> loop x3 exhausted
# 27 6:compif `a` -> drop [a=0 F] m0 | in 6.0 | under 26
# 28 6:compif `a` -> keep [a=1 T] m1 | in 6.1 | under 26
# 29 6:comp `for c in range(a)` -> loop x1 exhausted | in 6.1 | under 28
# 30 6:comp `for b in (c for c in range(a) if c >= 0)` -> loop x1 exhausted | in 6.1 | under 28
# 31 6:compif `c >= 0` -> keep [0 >= 0 T] m0 | in 6.1 6.0 | under 29
# 32 6:compif `a != b` -> keep [1 != 0 T] m1 | in 6.1 6.0 | under 30
# 33 6:compif `a` -> keep [a=2 T] m2 | in 6.2 | under 26
# 34 6:comp `for c in range(a)` -> loop x2 exhausted | in 6.2 | under 33
# 35 6:comp `for b in (c for c in range(a) if c >= 0)` -> loop x2 exhausted | in 6.2 | under 33
# 36 6:compif `c >= 0` -> keep [0 >= 0 T] m0 | in 6.2 6.0 | under 34
# 37 6:compif `a != b` -> keep [2 != 0 T] m2 | in 6.2 6.0 | under 35
# 38 6:compif `c >= 0` -> keep [1 >= 0 T] m1 | in 6.2 6.1 | under 34
# 39 6:compif `a != b` -> keep [2 != 1 T] m1 | in 6.2 6.1 | under 35
# 40 9:comp `for k in range(n)` -> loop x3 exhausted | outer
# 41 9:compif `(lambda z: z != 1)(k)` -> keep [(lambda z: z != 1)(k)=True T] | in 9.0 | outer | under 40
# 42 11:ifexp `k % 2 == 0` -> then [0 == 0 T] m0 | in 9.0 | outer inner | under 41
# 43 9:compif `(lambda z: z != 1)(k)` -> drop [(lambda z: z != 1)(k)=False F] | in 9.1 | outer | under 40
# 44 9:compif `(lambda z: z != 1)(k)` -> keep [(lambda z: z != 1)(k)=True T] | in 9.2 | outer | under 40
# 45 11:ifexp `k % 2 == 0` -> then [0 == 0 T] m0 | in 9.2 | outer inner | under 44
# 46 9:comp `for k in range(n)` -> loop x3 exhausted | outer
# 47 9:compif `(lambda z: z != 1)(k)` -> keep [(lambda z: z != 1)(k)=True T] | in 9.0 | outer | under 46
# 48 11:ifexp `k % 2 == 0` -> then [0 == 0 T] m0 | in 9.0 | outer inner | under 47
# 49 9:compif `(lambda z: z != 1)(k)` -> drop [(lambda z: z != 1)(k)=False F] | in 9.1 | outer | under 46
# 50 9:compif `(lambda z: z != 1)(k)` -> keep [(lambda z: z != 1)(k)=True T] | in 9.2 | outer | under 46
# 51 11:ifexp `k % 2 == 0` -> then [0 == 0 T] m0 | in 9.2 | outer inner | under 50
# 52 12:comp `for d in outer(3)` -> loop x2 exhausted
# 53 12:comp `for k, v in d.items()` -> loop x1 exhausted | in 12.0 | under 52
# 54 12:compif `v` -> keep [v='even' T] | in 12.0 12.0 | under 53
# 55 12:comp `for k, v in d.items()` -> loop x1 exhausted | in 12.1 | under 52
# 56 12:compif `v` -> keep [v='even' T] | in 12.1 12.0 | under 55
# 57 13:comp `for x in range(3)` -> loop x3 exhausted
# 58 13:compif `x` -> drop [x=0 F] m0 | in 13.0 | under 57
# 59 13:compif `x` -> keep [x=1 T] m1 | in 13.1 | under 57
# 60 13:or `print("made", x) or x` -> rest [print("made", x)=None F] | in 13.1 | under 59
# 61 13:compif `x` -> keep [x=2 T] m2 | in 13.2 | under 57
# 62 13:or `print("made", x) or x` -> rest [print("made", x)=None F] | in 13.2 | under 61
# 63 15:comp `for x in range(5)` -> loop x5 exhausted
# 64 15:compif `x` -> drop [x=0 F] m0 | in 15.0 | under 63
# 65 15:compif `x` -> keep [x=1 T] m1 | in 15.1 | under 63
# 66 15:compif `x > 2` -> drop [1 > 2 F] m-1 | in 15.1 | under 65
# 67 15:compif `x` -> keep [x=2 T] m2 | in 15.2 | under 63
# 68 15:compif `x > 2` -> drop [2 > 2 F] m0 | in 15.2 | under 67
# 69 15:compif `x` -> keep [x=3 T] m3 | in 15.3 | under 63
# 70 15:compif `x > 2` -> keep [3 > 2 T] m1 | in 15.3 | under 69
# 71 15:compif `x` -> keep [x=4 T] m4 | in 15.4 | under 63
# 72 15:compif `x > 2` -> keep [4 > 2 T] m2 | in 15.4 | under 71
# 73 15:comp `for _ in "ab"` -> loop x2 exhausted
# 74 15:compif `_ < "b"` -> keep ['a' < 'b' T] | in 15.0 | under 73
# 75 15:compif `_ < "b"` -> drop ['b' < 'b' F] | in 15.1 | under 73
