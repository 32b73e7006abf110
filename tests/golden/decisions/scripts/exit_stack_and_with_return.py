import dyncore as torch  # input: 3.0
from contextlib import ExitStack
class Scale:
    def __init__(self, log): self.log = log
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        self.log.append(1 if kind is None else -1)
        return False
def pick(x, log):
    for k in range(3):
        with Scale(log), ExitStack() as stack:
            stack.callback(log.append, 5)
            if x < k + 2:
                return x * k
            if k:
                continue
    return x
def forward(x):
    log = []
    y = pick(x, log)
    return y * len(log) if log[-1] == 1 else y

# ----
# 0 10 for loop x3 return @forward>pick
# 1 13 if else tensor in 10.0 @forward>pick u0 <lt | 3.0 < 2 F m-1
# 2 15 if else in 10.0 @forward>pick u1 | 0 F m0
# 3 7 ifexp then in 10.0 @forward>pick>Scale.__exit__ u0 | null is null T
# 4 13 if else tensor in 10.1 @forward>pick u0 <lt | 3.0 < 3 F m0
# 5 15 if then in 10.1 @forward>pick u4 | 1 T m1
# 6 7 ifexp then in 10.1 @forward>pick>Scale.__exit__ u0 | null is null T
# 7 13 if then tensor in 10.2 @forward>pick u0 <lt | 3.0 < 4 T m1
# 8 7 ifexp then in 10.2 @forward>pick>Scale.__exit__ u0 | null is null T
# 9 21 ifexp then @forward | 1 == 1 T m0
