def len(x): return 0
def bool(x): return "fake"
class int(int): pass
print = __builtins__.print if hasattr(__builtins__, "print") else __builtins__["print"]
range = lambda *a: [1, 2]
iter = None
if len([1]): print("no")
elif bool(0): print("fake bool")
for k in range(9):
    if k == 2: print("two")
print([k for k in range(1) if bool(k) == "fake"], (k for k in range(3) if k) is not None)
_dy_a_ = 5
def f(id=3, type=None): return id if id > 2 and type is None else type
print(f(), _dy_a_)
isinstance = lambda a, b: False
try: raise ValueError("x")
except Exception as StopIteration: print("caught" if StopIteration.args else "")

# ----
# 0 4:ifexp `hasattr(__builtins__, "print")` -> else [hasattr(__builtins__, "print")=False F]
# 1 7:if `len([1])` -> else [len([1])=0 F] m0
# 2 8:elif `bool(0)` -> then [bool(0)='fake' T] | under 1
# 3 9:for `for k in range(9)` -> loop x2 exhausted
# 4 10:if `k == 2` -> else [1 == 2 F] m-1 | in 9.0 | under 3
# 5 10:if `k == 2` -> then [2 == 2 T] m0 | in 9.1 | under 3
# 6 11:comp `for k in range(1)` -> loop x2 exhausted
# 7 11:compif `bool(k) == "fake"` -> keep ['fake' == 'fake' T] | in 11.0 | under 6
# 8 11:compif `bool(k) == "fake"` -> keep ['fake' == 'fake' T] | in 11.1 | under 6
# 9 11:comp `for k in range(3)` -> loop x0 break
# 10 13:ifexp `id > 2 and type is None` -> then [3 > 2 T, None is None T] m1 | f
# 11 16:try `try` -> except Exception !ValueError
# 12 17:ifexp `StopIteration.args` -> then [StopIteration.args=('x',) T] | under 11
