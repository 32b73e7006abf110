import dyncore as torch  # input: [[1.0, 2.0], [3.0, 4.0]]
from contextlib import nullcontext, suppress
class Swallow:
    def __init__(self, *kinds): self.kinds = kinds
    def __enter__(self): return self
    def __exit__(self, kind, value, tb):
        if kind is None: return False
        return any(issubclass(kind, k) for k in self.kinds)
def forward(x):
    for row in x:
        with Swallow(ValueError), suppress(KeyError):
            for v in row:
                if v > 3: raise KeyError
                if v > 1: raise ValueError
                x = x + 1
            else:
                x = x * 2
    with nullcontext(x) as y:
        while True:
            with Swallow(StopIteration):
                if y.sum() > 20: break
                y = y * 2
                if y.max() > 8: raise StopIteration
                continue
            y = y + 1
    with Swallow():
        return y if y.sum() < 100 else x

# ----
# 0 10 for loop shape x2 exhausted @forward
# 1 12 for loop shape x2 raise in 10.0 @forward u0 <unbind
# 2 13 if else tensor in 10.0,12.0 @forward u1 <gt | 1.0 > 3 F m-2
# 3 14 if else tensor in 10.0,12.0 @forward u2 <gt | 1.0 > 1 F m0
# 4 13 if else tensor in 10.0,12.1 @forward u1 <gt | 2.0 > 3 F m-1
# 5 14 if then tensor in 10.0,12.1 @forward u4 <gt | 2.0 > 1 T m1
# 6 7 if else in 10.0 @forward>Swallow.__exit__ u0 | {"type": "type"} is null F
# 7 8 comp loop x1 break in 10.0 @forward>Swallow.__exit__ u6
# 8 12 for loop shape x1 raise in 10.1 @forward u0 <unbind
# 9 13 if else tensor in 10.1,12.0 @forward u8 <gt | 3.0 > 3 F m0
# 10 14 if then tensor in 10.1,12.0 @forward u9 <gt | 3.0 > 1 T m2
# 11 7 if else in 10.1 @forward>Swallow.__exit__ u0 | {"type": "type"} is null F
# 12 8 comp loop x1 break in 10.1 @forward>Swallow.__exit__ u11
# 13 21 if else tensor in 19.0 @forward <gt | 14.0 > 20 F m-6
# 14 23 if then tensor in 19.0 @forward u13 <gt | 10.0 > 8 T m2
# 15 7 if else in 19.0 @forward>Swallow.__exit__ | {"type": "type"} is null F
# 16 8 comp loop x1 break in 19.0 @forward>Swallow.__exit__ u15
# 17 21 if then tensor in 19.1 @forward <gt | 32.0 > 20 T m12
# 18 7 if then in 19.1 @forward>Swallow.__exit__ | null is null T
# 19 27 ifexp then tensor @forward <lt | 32.0 < 100 T m68
# 20 7 if then @forward>Swallow.__exit__ | null is null T
