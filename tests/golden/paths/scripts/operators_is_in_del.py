x = None
d = {"a": 1, "b": None}
if x is None and "a" in d and "c" not in d and d["b"] is x is None: print(1)
if d.get("a") is not None is not False: print(2)
del d["a"]
if "a" not in d or d["a"]: print(3)
class Box:
    def __contains__(self, v): return v > 2
    def __getitem__(self, i):
        if i > 1: raise IndexError
        return i
    def __del__(self):
        if self: print("del")
b = Box()
print(3 in b, 1 in b, 1 not in b, "y" if 5 in b else "n", [v for v in b if v in (0, 1)])
del b
t = (1, 2)
if t == (1, 2) != (1,) and t is not None: print(4)
if not t < (1, 1) and t >= (1,): print(5)
try:
    del x
    if x: pass
except NameError as e: print("gone" if e.name == "x" else e)

# ----
# 0 3:if `x is None and "a" in d and "c" not in d and d["b"] is x is None` -> then [None is None T, 'a' in dict of 2 T, 'c' not in dict of 2 T, None is None T, None is None T]
# 1 4:if `d.get("a") is not None is not False` -> then [1 is not None T, None is not False T]
# 2 6:if `"a" not in d or d["a"]` -> then ['a' not in dict of 1 T]
# 3 15:ifexp `5 in b` -> then [5 in Box T]
# 4 15:comp `for v in b` -> loop x2 exhausted
# 5 10:if `i > 1` -> else [0 > 1 F] m-1 | Box.__getitem__
# 6 15:compif `v in (0, 1)` -> keep [0 in (0, 1) T] | in 15.0 | under 4
# 7 10:if `i > 1` -> else [1 > 1 F] m0 | in 15.0 | Box.__getitem__ | under 4
# 8 15:compif `v in (0, 1)` -> keep [1 in (0, 1) T] | in 15.1 | under 4
# 9 10:if `i > 1` -> then [2 > 1 T] m1 | in 15.1 | Box.__getitem__ | under 4
# 10 13:if `self` -> then [self=Box T] | Box.__del__
# 11 18:if `t == (1, 2) != (1,) and t is not None` -> then [(1, 2) == (1, 2) T, (1, 2) != (1,) T, (1, 2) is not None T]
# 12 19:if `not t < (1, 1) and t >= (1,)` -> then [(1, 2) < (1, 1) F, (1, 2) >= (1,) T]
# 13 20:try `try` -> except NameError !NameError
# 14 23:ifexp `e.name == "x"` -> then ['x' == 'x' T] | under 13
