import dyncore as torch, functools, operator, itertools  # input: [1.0, 2.0, -3.0]
def trace(fn=None, *, when=True):
    if fn is None: return functools.partial(trace, when=when)
    @functools.wraps(fn)
    def run(*a):
        return fn(*a) if not when or a[-1] is not None else None
    return run
@trace
def f(v): return v if v > 0 else g(-v)
@trace(when=False)
def g(v): return v / 2 if v > 2 else f(v - 10) if v > 100 else v
class P:
    def __init__(self, v): self._v = v
    @functools.cached_property
    def pos(self): return self._v > 0 or False
    @property
    def v(self): return self._v if self.pos else -self._v
    @v.setter
    def v(self, n): self._v = n if n is not None else self._v
    def __iter__(self): yield from (k for k in (self.v, None) if k is not None)
    def __getitem__(self, k): return self.v if k == 0 else (_ for _ in ()).throw(IndexError)
    def __add__(self, o): return P(self._v + (o._v if isinstance(o, P) else o))
    __radd__ = __add__
    def __matmul__(self, o): return NotImplemented if not isinstance(o, P) else self.v * o.v
    def __rmatmul__(self, o): return self.v if o else 0
def forward(x):
    ps = [P(v) for v in x]
    s = sum(ps, 0 if len(ps) > 5 else P(0))
    s.v = None; s.v = s.v + 1 if s.pos else s.v - 1
    acc = functools.reduce(lambda a, p: a + p.v if p.pos else a, ps, 0)
    run = [list(grp) for key, grp in itertools.groupby(x.tolist(), key=lambda v: v > 0) if key]
    first = next(filter(lambda p: not p.pos, ps)).v
    taken = list(itertools.takewhile(lambda v: v < 2, x))
    c = itertools.count(); pick = [p for p in ps if next(c) % 2 == 0 and p.pos]
    try: ps[0][1]
    except IndexError: acc = acc + (ps[0] @ ps[1] if pick else 0) + ([] @ ps[0])
    m = max(ps, key=lambda p: p.v if p.pos else 0).v
    (a,), *rest = zip(*(p for p in ps[:1]))
    if operator.gt(a, 0) and operator.not_(rest) and any(map(operator.lt, run[0], [2, 3])): acc = acc + m
    return f(acc) * len(taken) + g(first) + s.v

# ----
# 0 3 if else @trace load | {"type": "function"} is null F
# 1 3 if then @trace load | null is null T
# 2 3 if else @trace load | {"type": "function"} is null F
# 0 27 comp loop shape x3 exhausted @forward
# 1 28 ifexp else shape @forward | 3 > 5 F m-2
# 2 22 ifexp then @forward>P.__add__ | true T
# 3 22 ifexp then @forward>P.__add__ | true T
# 4 22 ifexp then @forward>P.__add__ | true T
# 5 19 ifexp else @forward>P.v | null is not null F
# 6 15 or rest tensor @forward>P.pos <gt | 0.0 > 0 F m0
# 7 29 ifexp else scalar~ @forward <gt | false F
# 8 17 ifexp else scalar~ @forward>P.v u7 <gt | false F
# 9 19 ifexp then @forward>P.v | -1.0 is not null T
# 10 15 or short tensor @forward>forward.<locals>.<lambda>>P.pos <gt | 1.0 > 0 T m1
# 11 30 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | true T
# 12 17 ifexp then tensor @forward>forward.<locals>.<lambda>>P.v u11 <gt | true T
# 13 15 or short tensor @forward>forward.<locals>.<lambda>>P.pos <gt | 2.0 > 0 T m2
# 14 30 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | true T
# 15 17 ifexp then tensor @forward>forward.<locals>.<lambda>>P.v u14 <gt | true T
# 16 15 or rest tensor @forward>forward.<locals>.<lambda>>P.pos <gt | -3.0 > 0 F m-3
# 17 30 ifexp else scalar~ @forward>forward.<locals>.<lambda> <gt | false F
# 18 31 comp loop scalar~ x2 exhausted @forward
# 19 31 compif keep scalar~ in 31.0 @forward u18 | true T
# 20 31 compif drop scalar~ in 31.1 @forward u18 | false F
# 21 17 ifexp else scalar~ @forward>P.v <gt | false F
# 22 34 comp loop shape x3 exhausted @forward
# 23 34 compif keep tensor in 34.0 @forward u22 <gt | 0 == 0 T; true T m0
# 24 34 compif drop in 34.1 @forward u22 | 1 == 0 F m-1
# 25 34 compif drop scalar~ in 34.2 @forward u22 <gt | 0 == 0 T; false F
# 26 21 ifexp else @forward>P.__getitem__ | 1 == 0 F m-1
# 27 21 comp loop x0 break @forward>P.__getitem__ u26
# 28 35 try except IndexError @forward !IndexError
# 29 36 ifexp then scalar~ @forward u28 <gt | {"type": "list", "len": 1} T
# 30 24 ifexp else @forward>P.__matmul__ u29 | true T
# 31 17 ifexp then tensor @forward>P.__matmul__>P.v u30 <gt | true T
# 32 17 ifexp then tensor @forward>P.__matmul__>P.v u30 <gt | true T
# 33 25 ifexp else @forward>P.__rmatmul__ u28 | {"type": "list", "len": 0} F
# 34 37 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | true T
# 35 17 ifexp then tensor @forward>forward.<locals>.<lambda>>P.v u34 <gt | true T
# 36 37 ifexp then tensor @forward>forward.<locals>.<lambda> <gt | true T
# 37 17 ifexp then tensor @forward>forward.<locals>.<lambda>>P.v u36 <gt | true T
# 38 37 ifexp else scalar~ @forward>forward.<locals>.<lambda> <gt | false F
# 39 17 ifexp then tensor @forward>P.v <gt | true T
# 40 38 comp loop shape x1 exhausted @forward
# 41 17 ifexp then tensor @forward>P.__iter__>P.v <gt | true T
# 42 20 comp loop x2 exhausted @forward>P.__iter__
# 43 20 compif keep in 20.0 @forward>P.__iter__ u42 | 1.0 is not null T
# 44 20 compif drop in 20.1 @forward>P.__iter__ u42 | null is not null F
# 45 39 if then tensor @forward <gt | true T; true T; true T
# 46 6 ifexp then @forward>trace.<locals>.run | true T; 7.0 is not null T
# 47 9 ifexp then tensor @forward>trace.<locals>.run>f u46 <gt | 7.0 > 0 T m7
# 48 6 ifexp then @forward>trace.<locals>.run | false F
# 49 11 ifexp then tensor @forward>trace.<locals>.run>g u48 <gt | 3.0 > 2 T m1
# 50 17 ifexp else scalar~ @forward>P.v <gt | false F
