import dyncore as torch, threading  # input: [1.0, -2.0, 3.0]
from concurrent.futures import ThreadPoolExecutor
from functools import partial, lru_cache, singledispatch, reduce
@singledispatch
def size(v): return 0 if v is None else 1
@size.register
def _(v: list): return sum(size(k) for k in v if k)
@size.register(torch.Tensor)
def _(v): return v.numel() if v.dim() else 1
@lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def pick(lo, hi, v): return v if lo < v < hi else v * 0
def forward(x):
    band = partial(pick, -1, hi=2)
    y = [band(v=v) for v in x]
    with ThreadPoolExecutor(1) as pool:
        z = list(pool.map(lambda v: v * 2 if v < 0 else v, x))
    out = []
    def job():
        for v in x:
            if v > 2: out.append(v)
    t = threading.Thread(target=job); t.start(); t.join()
    best = reduce(lambda a, b: a if a > b else b, y + z + out)
    return best * fib(4) * size([x[:1], None, [x[0]]])

# ----
# 0 15 comp loop shape x3 exhausted @forward
# 1 12 ifexp then tensor in 15.0 @forward>pick u0 <gt | -1 < 1.0 T; 1.0 < 2 T m1
# 2 12 ifexp else tensor in 15.1 @forward>pick u0 <gt | -1 < -2.0 F m-1
# 3 12 ifexp else tensor in 15.2 @forward>pick u0 <gt | -1 < 3.0 T; 3.0 < 2 F m-1
# 4 17 ifexp else tensor @forward.<locals>.<lambda> <lt | 1.0 < 0 F m-1
# 5 17 ifexp then tensor @forward.<locals>.<lambda> <lt | -2.0 < 0 T m2
# 6 17 ifexp else tensor @forward.<locals>.<lambda> <lt | 3.0 < 0 F m-3
# 7 20 for loop shape x3 exhausted @forward.<locals>.job
# 8 21 if else tensor in 20.0 @forward.<locals>.job u7 <gt | 1.0 > 2 F m-1
# 9 21 if else tensor in 20.1 @forward.<locals>.job u7 <gt | -2.0 > 2 F m-4
# 10 21 if then tensor in 20.2 @forward.<locals>.job u7 <gt | 3.0 > 2 T m1
# 11 23 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > -0.0 T m1
# 12 23 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 0.0 T m1
# 13 23 ifexp else tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 1.0 F m0
# 14 23 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > -4.0 T m5
# 15 23 ifexp else tensor @forward>forward.<locals>.<lambda> <gt | 1.0 > 3.0 F m-2
# 16 23 ifexp else tensor @forward>forward.<locals>.<lambda> <gt | 3.0 > 3.0 F m0
# 17 11 ifexp else @forward>fib | 4 < 2 F m-2
# 18 11 ifexp else @forward>fib>fib r1 u17 | 3 < 2 F m-1
# 19 11 ifexp else @forward>fib>fib>fib r2 u18 | 2 < 2 F m0
# 20 11 ifexp then @forward>fib>fib>fib>fib r3 u19 | 1 < 2 T m1
# 21 11 ifexp then @forward>fib>fib>fib>fib r3 u19 | 0 < 2 T m2
# 22 7 comp loop x3 exhausted @forward>_
# 23 7 compif keep tensor in 7.0 @forward>_ u22 <getitem | 1.0 T m1
# 24 9 ifexp then shape in 7.0 @forward>_>_ u23 <getitem | 1 T m1
# 25 7 compif drop in 7.1 @forward>_ u22 | null F
# 26 7 compif keep in 7.2 @forward>_ u22 | {"type": "list", "len": 1} T
# 27 7 comp loop x1 exhausted in 7.2 @forward>_>_ r1 u26
# 28 7 compif keep tensor in 7.2,7.0 @forward>_>_ r1 u27 <getitem | 1.0 T m1
# 29 9 ifexp else shape in 7.2,7.0 @forward>_>_>_ u28 <getitem | 0 F m0
