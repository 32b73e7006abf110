import dyncore as torch, functools  # input: 1.0
@functools.lru_cache(None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def forward(x):
    return x * fib(3)

# ----
# 0 4 ifexp else @forward>fib | 3 < 2 F m-1
# 1 4 ifexp else @forward>fib>fib r1 u0 | 2 < 2 F m0
# 2 4 ifexp then @forward>fib>fib>fib r2 u1 | 1 < 2 T m1
# 3 4 ifexp then @forward>fib>fib>fib r2 u1 | 0 < 2 T m2
