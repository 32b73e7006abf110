class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
class Seq:
    def __getitem__(self, i):
        if i == 2: raise IndexError
        return i
class Broken:
    def __iter__(self):
        yield 1
        if True: raise ValueError("broken")
c = Countdown(3)
for v in c:
    if v == 1: break
for v in c: print("rest", v)
for v in Seq(): print(v)
try:
    for v in Broken(): print(v)
except ValueError as e: print(e)
try:
    for v in 5: pass
except TypeError as e: print("not iterable" if "iterable" in str(e) else e)
for k, v in {"a": 1, "b": 2}.items():
    if v > 1: print(k)
for i, (a, *b) in enumerate([(1, 2, 3), (4,)]): print(i, a, b or None)
d = {}
for d["k"] in range(2): pass
print(d, list(iter(lambda c=[3]: c.append(c.pop() - 1) or c[0], 0)))

# ----
# 0 17:for `for v in c` -> loop x2 break
# 1 5:if `self.n <= 0` -> else [3 <= 0 F] m-3 | Countdown.__next__
# 2 18:if `v == 1` -> else [2 == 1 F] m-1 | in 17.0 | under 0
# 3 5:if `self.n <= 0` -> else [2 <= 0 F] m-2 | in 17.0 | Countdown.__next__ | under 0
# 4 18:if `v == 1` -> then [1 == 1 T] m0 | in 17.1 | under 0
# 5 19:for `for v in c` -> loop x1 exhausted
# 6 5:if `self.n <= 0` -> else [1 <= 0 F] m-1 | Countdown.__next__
# 7 5:if `self.n <= 0` -> then [0 <= 0 T] m0 | in 19.0 | Countdown.__next__ | under 5
# 8 20:for `for v in Seq()` -> loop x2 exhausted
# 9 10:if `i == 2` -> else [0 == 2 F] m-2 | Seq.__getitem__
# 10 10:if `i == 2` -> else [1 == 2 F] m-1 | in 20.0 | Seq.__getitem__ | under 8
# 11 10:if `i == 2` -> then [2 == 2 T] m0 | in 20.1 | Seq.__getitem__ | under 8
# 12 22:for `for v in Broken()` -> loop x1 raise
# 13 21:try `try` -> except ValueError !ValueError
# 14 25:for `for v in 5` -> loop x0 raise
# 15 24:try `try` -> except TypeError !TypeError
# 16 26:ifexp `"iterable" in str(e)` -> then ['iterable' in "'int' object is not iterable" T] | under 15
# 17 27:for `for k, v in {"a": 1, "b": 2}.items()` -> loop x2 exhausted
# 18 28:if `v > 1` -> else [1 > 1 F] m0 | in 27.0 | under 17
# 19 28:if `v > 1` -> then [2 > 1 T] m1 | in 27.1 | under 17
# 20 29:for `for i, (a, *b) in enumerate([(1, 2, 3), (4,)])` -> loop x2 exhausted
# 21 29:or `b or None` -> short [b=list of 2 T] | in 29.0 | under 20
# 22 29:or `b or None` -> rest [b=list of 0 F] | in 29.1 | under 20
# 23 31:for `for d["k"] in range(2)` -> loop x2 exhausted
# 24 32:or `c.append(c.pop() - 1) or c[0]` -> rest [c.append(c.pop() - 1)=None F] | <lambda>
# 25 32:or `c.append(c.pop() - 1) or c[0]` -> rest [c.append(c.pop() - 1)=None F] | <lambda>
# 26 32:or `c.append(c.pop() - 1) or c[0]` -> rest [c.append(c.pop() - 1)=None F] | <lambda>
