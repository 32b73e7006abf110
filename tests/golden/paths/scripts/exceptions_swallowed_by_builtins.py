class A:
    def __getattr__(self, name):
        if name == "x": raise AttributeError
        return 1
class Seq:
    def __getitem__(self, i):
        if i == 2: raise IndexError
        return i
def f(v):
    return "t" if v else "f"
a = A()
hasattr(a, "x")
f(1)
y = getattr(a, "x", 3)
z = f(0)
print(list(Seq()))
f(2)
w = next((k for k in range(3) if k > 5), None)
f(3)
def gen():
    try:
        yield 1
        if y: yield 2
    finally:
        print("fin" if y else "")
for v in gen():
    break
f(4)
def raising(k):
    if k: raise KeyError
s = {"a": 1}
class D(dict):
    def __missing__(self, k):
        if k: raise KeyError(k)
d = D()
d.get("k"); f(5)
class E:
    def __eq__(self, o):
        if o: raise TypeError
        return False
import contextlib
with contextlib.suppress(TypeError):
    E() == 1
f(6)
E() == 0; f(7)
g = gen(); next(g); g.close(); f(8)
class C:
    def __init__(self, n):
        if n: raise ValueError
    def __del__(self):
        if 1 > 0 and self: pass
try: C(1)
except ValueError: pass
f(9)
class It:
    def __iter__(self): return self
    def __next__(self):
        if 1 + len("x"): raise StopIteration
print(list(It()), f(10), sum(It()), f(11))

# ----
# 0 3:if `name == "x"` -> then ['x' == 'x' T] | A.__getattr__
# 1 10:ifexp `v` -> then [v=1 T] m1 | f
# 2 3:if `name == "x"` -> then ['x' == 'x' T] | A.__getattr__
# 3 10:ifexp `v` -> else [v=0 F] m0 | f
# 4 7:if `i == 2` -> else [0 == 2 F] m-2 | Seq.__getitem__
# 5 7:if `i == 2` -> else [1 == 2 F] m-1 | Seq.__getitem__
# 6 7:if `i == 2` -> then [2 == 2 T] m0 | Seq.__getitem__
# 7 10:ifexp `v` -> then [v=2 T] m2 | f
# 8 18:comp `for k in range(3)` -> loop x3 exhausted
# 9 18:compif `k > 5` -> drop [0 > 5 F] m-5 | in 18.0 | under 8
# 10 18:compif `k > 5` -> drop [1 > 5 F] m-4 | in 18.1 | under 8
# 11 18:compif `k > 5` -> drop [2 > 5 F] m-3 | in 18.2 | under 8
# 12 10:ifexp `v` -> then [v=3 T] m3 | f
# 13 26:for `for v in gen()` -> loop x1 break
# 14 25:ifexp `y` -> then [y=3 T] m3 | gen
# 15 10:ifexp `v` -> then [v=4 T] m4 | f
# 16 10:ifexp `v` -> then [v=5 T] m5 | f
# 17 39:if `o` -> then [o=1 T] m1 | E.__eq__
# 18 10:ifexp `v` -> then [v=6 T] m6 | f
# 19 39:if `o` -> else [o=0 F] m0 | E.__eq__
# 20 10:ifexp `v` -> then [v=7 T] m7 | f
# 21 25:ifexp `y` -> then [y=3 T] m3 | gen
# 22 10:ifexp `v` -> then [v=8 T] m8 | f
# 23 49:if `n` -> then [n=1 T] m1 | C.__init__
# 24 52:try `try` -> except ValueError !ValueError
# 25 51:if `1 > 0 and self` -> then [self=C T] | C.__del__ | under 24
# 26 10:ifexp `v` -> then [v=9 T] m9 | f
# 27 58:if `1 + len("x")` -> then [1 + len("x")=2 T] m2 | It.__next__
# 28 10:ifexp `v` -> then [v=10 T] m10 | f
# 29 58:if `1 + len("x")` -> then [1 + len("x")=2 T] m2 | It.__next__
# 30 10:ifexp `v` -> then [v=11 T] m11 | f
