import dyncore as torch  # input: 2.0
from functools import reduce, partial, lru_cache, singledispatch
@lru_cache
def size(n):
    return 1 if n < 2 else size(n - 1) + size(n - 2)
@singledispatch
def act(v, x):
    return x
@act.register
def _(v: int, x):
    return x * v if v > 1 else x
def fold(limit, a, b):
    return a if a > limit else a + b
def forward(x):
    x = act(size(3), x)
    return reduce(partial(fold, 7), [x, x, x])

# ----
# 0 5 ifexp else @forward>size | 3 < 2 F m-1
# 1 5 ifexp else @forward>size>size r1 u0 | 2 < 2 F m0
# 2 5 ifexp then @forward>size>size>size r2 u1 | 1 < 2 T m1
# 3 5 ifexp then @forward>size>size>size r2 u1 | 0 < 2 T m2
# 4 11 ifexp then @forward>_ | 3 > 1 T m2
# 5 13 ifexp else tensor @forward>fold <gt | 6.0 > 7 F m-1
# 6 13 ifexp then tensor @forward>fold <gt | 12.0 > 7 T m5
