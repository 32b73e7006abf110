import asyncio
class Down:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n < 1: raise StopIteration
        self.n -= 1
        return self.n
    __aiter__ = __iter__
    async def __anext__(self):
        if self.n < 1: raise StopAsyncIteration
        self.n -= 1
        return self.n
class Less:
    def __init__(self, v): self.v = v
    def __lt__(self, other): return True if self.v < other.v else False
class Near:
    def __enter__(self): pass
    def __exit__(self, *error): return 1 if error[0] else 0
def odd(v): return 1 if v % 2 else 0
for v in Down(2):
    if v: pass
for v in map(odd, [1, 2]):
    if v: pass
a = b = 0
while odd(a):
    if a: a = 0
print([v for v in filter(odd, (1, 2)) if v], [w for v in (1, 2) if v > 1 for w in Down(v)])
with Near():
    if a: pass
    elif b: pass
if a: pass
if Less(a) < Less(b): pass
low, high = Less(1), Less(2)
if a: pass
if low < high: pass
while low < high:
    if low.v: low = high
async def run():
    async for v in Down(2):
        if v: pass
asyncio.run(run())

# ----
# 0 21:for `for v in Down(2)` -> loop x2 exhausted
# 1 6:if `self.n < 1` -> else [2 < 1 F] m-1 | Down.__next__
# 2 22:if `v` -> then [v=1 T] m1 | in 21.0 | under 0
# 3 6:if `self.n < 1` -> else [1 < 1 F] m0 | in 21.0 | Down.__next__ | under 0
# 4 22:if `v` -> else [v=0 F] m0 | in 21.1 | under 0
# 5 6:if `self.n < 1` -> then [0 < 1 T] m1 | in 21.1 | Down.__next__ | under 0
# 6 23:for `for v in map(odd, [1, 2])` -> loop x2 exhausted
# 7 20:ifexp `v % 2` -> then [v % 2=1 T] m1 | odd
# 8 24:if `v` -> then [v=1 T] m1 | in 23.0 | under 6
# 9 20:ifexp `v % 2` -> else [v % 2=0 F] m0 | in 23.0 | odd | under 6
# 10 24:if `v` -> else [v=0 F] m0 | in 23.1 | under 6
# 11 20:ifexp `v % 2` -> else [v % 2=0 F] m0 | odd
# 12 26:while `odd(a)` -> exit #0 [odd(a)=0 F] m0
# 13 28:comp `for v in filter(odd, (1, 2))` -> loop x1 exhausted
# 14 20:ifexp `v % 2` -> then [v % 2=1 T] m1 | odd
# 15 28:compif `v` -> keep [v=1 T] m1 | in 28.0 | under 13
# 16 20:ifexp `v % 2` -> else [v % 2=0 F] m0 | in 28.0 | odd | under 13
# 17 28:comp `for v in (1, 2)` -> loop x2 exhausted
# 18 28:compif `v > 1` -> drop [1 > 1 F] m0 | in 28.0 | under 17
# 19 28:compif `v > 1` -> keep [2 > 1 T] m1 | in 28.1 | under 17
# 20 28:comp `for w in Down(v)` -> loop x2 exhausted | in 28.1 | under 19
# 21 6:if `self.n < 1` -> else [2 < 1 F] m-1 | in 28.1 | Down.__next__ | under 19
# 22 6:if `self.n < 1` -> else [1 < 1 F] m0 | in 28.1 28.0 | Down.__next__ | under 20
# 23 6:if `self.n < 1` -> then [0 < 1 T] m1 | in 28.1 28.1 | Down.__next__ | under 20
# 24 30:if `a` -> else [a=0 F] m0
# 25 31:elif `b` -> else [b=0 F] m0 | under 24
# 26 19:ifexp `error[0]` -> else [error[0]=None F] | Near.__exit__
# 27 32:if `a` -> else [a=0 F] m0
# 28 16:ifexp `self.v < other.v` -> else [0 < 0 F] m0 | Less.__lt__
# 29 33:if `Less(a) < Less(b)` -> else [Less < Less F]
# 30 35:if `a` -> else [a=0 F] m0
# 31 16:ifexp `self.v < other.v` -> then [1 < 2 T] m1 | Less.__lt__
# 32 36:if `low < high` -> then [Less < Less T]
# 33 16:ifexp `self.v < other.v` -> then [1 < 2 T] m1 | Less.__lt__
# 34 37:while `low < high` -> body #0 [Less < Less T]
# 35 38:if `low.v` -> then [low.v=1 T] m1 | in 37.0 | under 34
# 36 16:ifexp `self.v < other.v` -> else [2 < 2 F] m0 | in 37.0 | Less.__lt__ | under 34
# 37 37:while `low < high` -> exit #1 [Less < Less F]
# 38 40:for `async for v in Down(2)` -> loop x2 exhausted | run
# 39 11:if `self.n < 1` -> else [2 < 1 F] m-1 | run Down.__anext__
# 40 41:if `v` -> then [v=1 T] m1 | in 40.0 | run | under 38
# 41 11:if `self.n < 1` -> else [1 < 1 F] m0 | in 40.0 | run Down.__anext__ | under 38
# 42 41:if `v` -> else [v=0 F] m0 | in 40.1 | run | under 38
# 43 11:if `self.n < 1` -> then [0 < 1 T] m1 | in 40.1 | run Down.__anext__ | under 38
