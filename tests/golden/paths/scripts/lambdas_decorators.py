import functools
def traced(f):
    @functools.wraps(f)
    def wrapper(*a, **k):
        return f(*a, **k) if a else None
    return wrapper
def repeat(n):
    def deco(f):
        return (lambda x: [f(x) for _ in range(n)] if x else f(x)) if n > 1 else f
    return deco
@traced
@repeat(2)
def g(x):
    return "big" if x > 1 else "small"
print(g(), g(3), g(0), (lambda x, *r: x or r)(0, 1), (lambda: (yield))().__class__.__name__)
key = lambda s: (len(s) > 2 and s) or "z"
print(sorted(["abc", "b", "aa", "bcd"], key=key, reverse=not g()))
print(max([3, 1, 2], key=lambda v: v if v != 3 else 0), list(filter(lambda v: v % 2 and v > 1, range(6))))
print((lambda n: 1 if n < 2 else n * (lambda m: m + 1)(n))(3))
@(lambda cls: cls if cls else None)
class C:
    x = (lambda y=3: y if y > 2 else 0)()
    flag = x and "set"
print(C.x, C.flag)

# ----
# 0 9:ifexp `n > 1` -> then [2 > 1 T] m1 | repeat.<locals>.deco
# 1 5:ifexp `a` -> else [a=() F] | traced.<locals>.wrapper
# 2 5:ifexp `a` -> then [a=(3,) T] | traced.<locals>.wrapper
# 3 9:ifexp `x` -> then [x=3 T] m3 | traced.<locals>.wrapper repeat.<locals>.deco.<locals>.<lambda> | under 2
# 4 9:comp `for _ in range(n)` -> loop x2 exhausted | traced.<locals>.wrapper repeat.<locals>.deco.<locals>.<lambda> | under 3
# 5 14:ifexp `x > 1` -> then [3 > 1 T] m2 | in 9.0 | traced.<locals>.wrapper repeat.<locals>.deco.<locals>.<lambda> g | under 4
# 6 14:ifexp `x > 1` -> then [3 > 1 T] m2 | in 9.1 | traced.<locals>.wrapper repeat.<locals>.deco.<locals>.<lambda> g | under 4
# 7 5:ifexp `a` -> then [a=(0,) T] | traced.<locals>.wrapper
# 8 9:ifexp `x` -> else [x=0 F] m0 | traced.<locals>.wrapper repeat.<locals>.deco.<locals>.<lambda> | under 7
# 9 14:ifexp `x > 1` -> else [0 > 1 F] m-1 | traced.<locals>.wrapper repeat.<locals>.deco.<locals>.<lambda> g | under 8
# 10 15:or `x or r` -> rest [x=0 F] m0 | <lambda>
# 11 5:ifexp `a` -> else [a=() F] | traced.<locals>.wrapper
# 12 16:and `len(s) > 2 and s` -> rest [3 > 2 T] m1 | <lambda>
# 13 16:or `(len(s) > 2 and s) or "z"` -> short [len(s) > 2 and s='abc' T] | <lambda>
# 14 16:and `len(s) > 2 and s` -> short [1 > 2 F] m-1 | <lambda>
# 15 16:or `(len(s) > 2 and s) or "z"` -> rest [len(s) > 2 and s=False F] | <lambda>
# 16 16:and `len(s) > 2 and s` -> short [2 > 2 F] m0 | <lambda>
# 17 16:or `(len(s) > 2 and s) or "z"` -> rest [len(s) > 2 and s=False F] | <lambda>
# 18 16:and `len(s) > 2 and s` -> rest [3 > 2 T] m1 | <lambda>
# 19 16:or `(len(s) > 2 and s) or "z"` -> short [len(s) > 2 and s='bcd' T] | <lambda>
# 20 18:ifexp `v != 3` -> else [3 != 3 F] m0 | <lambda>
# 21 18:ifexp `v != 3` -> then [1 != 3 T] m2 | <lambda>
# 22 18:ifexp `v != 3` -> then [2 != 3 T] m1 | <lambda>
# 23 18:and `v % 2 and v > 1` -> short [v % 2=0 F] m0 | <lambda>
# 24 18:and `v % 2 and v > 1` -> rest [v % 2=1 T] m1 | <lambda>
# 25 18:and `v % 2 and v > 1` -> short [v % 2=0 F] m0 | <lambda>
# 26 18:and `v % 2 and v > 1` -> rest [v % 2=1 T] m1 | <lambda>
# 27 18:and `v % 2 and v > 1` -> short [v % 2=0 F] m0 | <lambda>
# 28 18:and `v % 2 and v > 1` -> rest [v % 2=1 T] m1 | <lambda>
# 29 19:ifexp `n < 2` -> else [3 < 2 F] m-1 | <lambda>
# 30 22:ifexp `y > 2` -> then [3 > 2 T] m1 | C.<lambda>
# 31 23:and `x and "set"` -> rest [x=3 T] m3
# 32 20:ifexp `cls` -> then [cls=type T] | <lambda>
