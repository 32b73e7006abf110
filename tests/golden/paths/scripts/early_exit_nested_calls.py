def a(x): return b(x) if x else None
def b(x):
    if x > 2: return c(x - 1) or "b"
    return c(x)
def c(x):
    for k in range(x):
        if k == 1: return d(k)
    return 0
def d(k): return k > 5 or [e(k) for _ in range(1) if k]
def e(k): return not k if k != 1 else {e for e in (1,) if e}
print(a(0), a(1), a(2), a(3), list(map(a, (1, 3))), sorted((1, 0), key=c), (lambda: a(2))())

# ----
# 0 1:ifexp `x` -> else [x=0 F] m0 | a
# 1 1:ifexp `x` -> then [x=1 T] m1 | a
# 2 3:if `x > 2` -> else [1 > 2 F] m-1 | a b | under 1
# 3 6:for `for k in range(x)` -> loop x1 exhausted | a b c | under 2
# 4 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | a b c | under 3
# 5 1:ifexp `x` -> then [x=2 T] m2 | a
# 6 3:if `x > 2` -> else [2 > 2 F] m0 | a b | under 5
# 7 6:for `for k in range(x)` -> loop x2 return | a b c | under 6
# 8 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | a b c | under 7
# 9 7:if `k == 1` -> then [1 == 1 T] m0 | in 6.1 | a b c | under 7
# 10 9:or `k > 5 or [e(k) for _ in range(1) if k]` -> rest [1 > 5 F] m-4 | in 6.1 | a b c d | under 9
# 11 9:comp `for _ in range(1)` -> loop x1 exhausted | in 6.1 | a b c d | under 10
# 12 9:compif `k` -> keep [k=1 T] m1 | in 6.1 9.0 | a b c d | under 11
# 13 10:ifexp `k != 1` -> else [1 != 1 F] m0 | in 6.1 9.0 | a b c d e | under 12
# 14 10:comp `for e in (1,)` -> loop x1 exhausted | in 6.1 9.0 | a b c d e | under 13
# 15 10:compif `e` -> keep [e=1 T] m1 | in 6.1 9.0 10.0 | a b c d e | under 14
# 16 1:ifexp `x` -> then [x=3 T] m3 | a
# 17 3:if `x > 2` -> then [3 > 2 T] m1 | a b | under 16
# 18 6:for `for k in range(x)` -> loop x2 return | a b c | under 17
# 19 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | a b c | under 18
# 20 7:if `k == 1` -> then [1 == 1 T] m0 | in 6.1 | a b c | under 18
# 21 9:or `k > 5 or [e(k) for _ in range(1) if k]` -> rest [1 > 5 F] m-4 | in 6.1 | a b c d | under 20
# 22 9:comp `for _ in range(1)` -> loop x1 exhausted | in 6.1 | a b c d | under 21
# 23 9:compif `k` -> keep [k=1 T] m1 | in 6.1 9.0 | a b c d | under 22
# 24 10:ifexp `k != 1` -> else [1 != 1 F] m0 | in 6.1 9.0 | a b c d e | under 23
# 25 10:comp `for e in (1,)` -> loop x1 exhausted | in 6.1 9.0 | a b c d e | under 24
# 26 10:compif `e` -> keep [e=1 T] m1 | in 6.1 9.0 10.0 | a b c d e | under 25
# 27 3:or `c(x - 1) or "b"` -> short [c(x - 1)=list of 1 T] | a b | under 17
# 28 1:ifexp `x` -> then [x=1 T] m1 | a
# 29 3:if `x > 2` -> else [1 > 2 F] m-1 | a b | under 28
# 30 6:for `for k in range(x)` -> loop x1 exhausted | a b c | under 29
# 31 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | a b c | under 30
# 32 1:ifexp `x` -> then [x=3 T] m3 | a
# 33 3:if `x > 2` -> then [3 > 2 T] m1 | a b | under 32
# 34 6:for `for k in range(x)` -> loop x2 return | a b c | under 33
# 35 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | a b c | under 34
# 36 7:if `k == 1` -> then [1 == 1 T] m0 | in 6.1 | a b c | under 34
# 37 9:or `k > 5 or [e(k) for _ in range(1) if k]` -> rest [1 > 5 F] m-4 | in 6.1 | a b c d | under 36
# 38 9:comp `for _ in range(1)` -> loop x1 exhausted | in 6.1 | a b c d | under 37
# 39 9:compif `k` -> keep [k=1 T] m1 | in 6.1 9.0 | a b c d | under 38
# 40 10:ifexp `k != 1` -> else [1 != 1 F] m0 | in 6.1 9.0 | a b c d e | under 39
# 41 10:comp `for e in (1,)` -> loop x1 exhausted | in 6.1 9.0 | a b c d e | under 40
# 42 10:compif `e` -> keep [e=1 T] m1 | in 6.1 9.0 10.0 | a b c d e | under 41
# 43 3:or `c(x - 1) or "b"` -> short [c(x - 1)=list of 1 T] | a b | under 33
# 44 6:for `for k in range(x)` -> loop x1 exhausted | c
# 45 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | c | under 44
# 46 6:for `for k in range(x)` -> loop x0 exhausted | c
# 47 1:ifexp `x` -> then [x=2 T] m2 | <lambda> a
# 48 3:if `x > 2` -> else [2 > 2 F] m0 | <lambda> a b | under 47
# 49 6:for `for k in range(x)` -> loop x2 return | <lambda> a b c | under 48
# 50 7:if `k == 1` -> else [0 == 1 F] m-1 | in 6.0 | <lambda> a b c | under 49
# 51 7:if `k == 1` -> then [1 == 1 T] m0 | in 6.1 | <lambda> a b c | under 49
# 52 9:or `k > 5 or [e(k) for _ in range(1) if k]` -> rest [1 > 5 F] m-4 | in 6.1 | <lambda> a b c d | under 51
# 53 9:comp `for _ in range(1)` -> loop x1 exhausted | in 6.1 | <lambda> a b c d | under 52
# 54 9:compif `k` -> keep [k=1 T] m1 | in 6.1 9.0 | <lambda> a b c d | under 53
# 55 10:ifexp `k != 1` -> else [1 != 1 F] m0 | in 6.1 9.0 | <lambda> a b c d e | under 54
# 56 10:comp `for e in (1,)` -> loop x1 exhausted | in 6.1 9.0 | <lambda> a b c d e | under 55
# 57 10:compif `e` -> keep [e=1 T] m1 | in 6.1 9.0 10.0 | <lambda> a b c d e | under 56
