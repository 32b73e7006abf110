import dyncore as torch  # input: [1.0, -1.0, 2.0]
import math, functools, collections, itertools, random, contextlib
from dataclasses import dataclass, field
@dataclass
class Config:
    depth: int = 3
    rate: float = 0.1
    names: list = field(default_factory=lambda: ["a", "b"])
    def __post_init__(self):
        if self.depth > 2: pass
class Counter:
    def __init__(self, start=0): self.n = start; self.last = None
    def tick(self, loss):
        self.n += 1
        self.last = loss
        return self.n
class Net(torch.nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.width = width
        self.layers = [torch.nn.Linear(3, 3) for _ in range(depth)]
        if width > 2: pass
    def forward(self, x, depth, *extra, mode="train", **options):
        for i, layer in enumerate(self.layers):
            if i >= depth: break
            x = layer(x)
        if mode == "train": pass
        if options.get("flag"): pass
        if len(extra) > 0: pass
        if extra[0] > 3: pass
        return x
def schedule(step):
    return 0.1 * step
def steps(n):
    for i in range(n):
        yield i
def visit(node, out, depth=0):
    if depth > 1: return out
    out.append(depth)
    return visit(node, out, depth + 1)
@contextlib.contextmanager
def stage(name):
    yield name
def memo(f):
    cache = {}
    @functools.wraps(f)
    def inner(k):
        if k not in cache:
            cache[k] = f(k)
        return cache[k]
    return inner
@memo
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
total = 0
def bump():
    global total
    total += 1
class Bad(Exception): pass
HOOKS = {"a": lambda n: n + 1}
class Rows:
    def __init__(self, n): self.n = n
    def __iter__(self):
        for i in range(self.n): yield i
def apply(f, n): return f(n)
def forward(x):
    used = x.sum().item()
    cfg = Config()
    c = Counter()
    net = Net(3, 2)
    y = net(x, 2, 5, flag=1)
    for step in range(2):
        loss = y.sum()
        c.tick(loss.item())
        if c.n > 1: pass
        if step > 0: pass
        if schedule(step) > 0: pass
    if cfg.depth > 2: pass
    if cfg.rate > 0: pass
    for k in steps(2):
        if k > 0: pass
    out = visit("root", [])
    if out[0] > 0: pass
    with stage("one") as s:
        if s == "one": pass
    if fib(4) > 2: pass
    bump()
    if total > 0: pass
    try:
        raise Bad(3)
    except Bad as e:
        if e.args[0] > 2: pass
    if HOOKS["a"](1) > 1: pass
    for r in Rows(2):
        if r > 0: pass
    if apply(lambda k: k * 2, 3) > 1: pass
    n = 0
    def inc():
        nonlocal n
        n += 1
        return loss.item()
    inc()
    if n > 0: pass
    log = []
    def note(k): log.append(k)
    note(4)
    if log[0] > 3: pass
    queue = collections.deque([1, 2])
    while queue:
        k = queue.popleft()
        if k > 1: pass
    names = {"a": 1}
    for key, v in names.items():
        if v > 0: pass
    if isinstance(used, float): pass
    if used is not None: pass
    seen = set()
    for k in (1, 1):
        if k in seen: pass
        seen.add(k)
    best, bad = 1e9, 0
    for e in range(2):
        if used < best: best = used
        else: bad += 1
        if bad >= 1: pass
    return y

# ----
# 0 10 if then @forward>Config.__post_init__ | 3 > 2 T m1
# 1 21 comp loop x2 exhausted @forward>Net.__init__
# 2 22 if then @forward>Net.__init__ | 3 > 2 T m1
# 3 24 for loop x2 exhausted @forward>Net.forward
# 4 25 if else in 24.0 @forward>Net.forward u3 | 0 >= 2 F m-2
# 5 25 if else in 24.1 @forward>Net.forward u3 | 1 >= 2 F m-1
# 6 27 if then @forward>Net.forward | "train" == "train" T
# 7 28 if then @forward>Net.forward | 1 T m1
# 8 29 if then @forward>Net.forward | 1 > 0 T m1
# 9 30 if then @forward>Net.forward | 5 > 3 T m2
# 10 72 for loop x2 exhausted @forward
# 11 75 if else in 72.0 @forward u10 | 1 > 1 F m0
# 12 76 if else in 72.0 @forward u10 | 0 > 0 F m0
# 13 77 if else in 72.0 @forward u10 | 0.0 > 0 F m0
# 14 75 if then in 72.1 @forward u10 | 2 > 1 T m1
# 15 76 if then in 72.1 @forward u10 | 1 > 0 T m1
# 16 77 if then in 72.1 @forward u10 | 0.1 > 0 T m0.1
# 17 78 if then @forward | 3 > 2 T m1
# 18 79 if then @forward | 0.1 > 0 T m0.1
# 19 80 for loop x2 exhausted @forward
# 20 35 for loop x2 exhausted @forward>steps
# 21 81 if else in 80.0 @forward u19 | 0 > 0 F m0
# 22 81 if then in 80.1 @forward u19 | 1 > 0 T m1
# 23 38 if else @forward>visit | 0 > 1 F m-1
# 24 38 if else @forward>visit>visit r1 u23 | 1 > 1 F m0
# 25 38 if then @forward>visit>visit>visit r2 u24 | 2 > 1 T m1
# 26 83 if else @forward | 0 > 0 F m0
# 27 85 if then @forward | "one" == "one" T
# 28 48 if then @forward>memo.<locals>.inner | 4 not in {"type": "dict", "len": 0} T
# 29 54 ifexp else @forward>memo.<locals>.inner>fib u28 | 4 < 2 F m-2
# 30 48 if then @forward>memo.<locals>.inner>fib>memo.<locals>.inner r1 u29 | 3 not in {"type": "dict", "len": 0} T
# 31 54 ifexp else @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib r1 u30 | 3 < 2 F m-1
# 32 48 if then @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner r2 u31 | 2 not in {"type": "dict", "len": 0} T
# 33 54 ifexp else @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib r2 u32 | 2 < 2 F m0
# 34 48 if then @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner r3 u33 | 1 not in {"type": "dict", "len": 0} T
# 35 54 ifexp then @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib r3 u34 | 1 < 2 T m1
# 36 48 if then @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner r3 u33 | 0 not in {"type": "dict", "len": 1} T
# 37 54 ifexp then @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner>fib r3 u36 | 0 < 2 T m2
# 38 48 if else @forward>memo.<locals>.inner>fib>memo.<locals>.inner>fib>memo.<locals>.inner r2 u31 | 1 not in {"type": "dict", "len": 3} F
# 39 48 if else @forward>memo.<locals>.inner>fib>memo.<locals>.inner r1 u29 | 2 not in {"type": "dict", "len": 4} F
# 40 86 if then @forward | 3 > 2 T m1
# 41 88 if then @forward | 1 > 0 T m1
# 42 89 try except Bad @forward !Bad
# 43 92 if then @forward u42 | 3 > 2 T m1
# 44 93 if then @forward | 2 > 1 T m1
# 45 94 for loop x2 exhausted @forward
# 46 64 for loop x2 exhausted @forward>Rows.__iter__
# 47 95 if else in 94.0 @forward u45 | 0 > 0 F m0
# 48 95 if then in 94.1 @forward u45 | 1 > 0 T m1
# 49 96 if then @forward | 6 > 1 T m5
# 50 103 if then @forward | 1 > 0 T m1
# 51 107 if then @forward | 4 > 3 T m1
# 52 109 while body #0 @forward | {"type": "deque"} T
# 53 111 if else in 109.0 @forward u52 | 1 > 1 F m0
# 54 109 while body #1 @forward | {"type": "deque"} T
# 55 111 if then in 109.1 @forward u54 | 2 > 1 T m1
# 56 109 while exit #2 @forward | {"type": "deque"} F
# 57 113 for loop x1 exhausted @forward
# 58 114 if then in 113.0 @forward u57 | 1 > 0 T m1
# 59 115 if then @forward | true T
# 60 116 if then @forward | 2.0 is not null T
# 61 118 for loop x2 exhausted @forward
# 62 119 if else in 118.0 @forward u61 | 1 in {"type": "set", "len": 0} F
# 63 119 if then in 118.1 @forward u61 | 1 in {"type": "set", "len": 1} T
# 64 122 for loop x2 exhausted @forward
# 65 123 if then scalar in 122.0 @forward u64 <sum | 2.0 < 1000000000.0 T m1e+09
# 66 125 if else in 122.0 @forward u64 | 0 >= 1 F m-1
# 67 123 if else scalar in 122.1 @forward u64 <sum | 2.0 < 2.0 F m0
# 68 125 if then in 122.1 @forward u64 | 1 >= 1 T m0
