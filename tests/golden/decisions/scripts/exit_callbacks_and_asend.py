from contextlib import ExitStack, closing, nullcontext
seen = []
def note(v): seen.append(v if v else "empty")
class R:
    def __init__(s, n): s.n = n
    def close(s):
        if s.n: note(s.n)
def f(n):
    with ExitStack() as stack:
        for k in range(n):
            stack.enter_context(closing(R(k)))
            if k == 1:
                stack.callback(note, 0)
                return "left"
    return "end"
print(f(3), f(1), seen)
with closing(R(9)) if seen else nullcontext(): pass
import asyncio
async def acc():
    total = 0
    while True:
        got = yield total
        if got is None: return
        total += got
async def main():
    g = acc()
    await g.asend(None)
    out = [await g.asend(v) for v in (1, 2)]
    try:
        await g.asend(None)
    except StopAsyncIteration:
        return out if out == [1, 3] else None
print(asyncio.run(main()))

# ----
# 0 10 for loop x2 return @f
# 1 12 if else in 10.0 @f u0 | 0 == 1 F m-1
# 2 12 if then in 10.1 @f u0 | 1 == 1 T m0
# 3 3 ifexp else @f>note | 0 F m0
# 4 7 if then @f>R.close | 1 T m1
# 5 3 ifexp then @f>R.close>note u4 | 1 T m1
# 6 7 if else @f>R.close | 0 F m0
# 7 10 for loop x1 exhausted @f
# 8 12 if else in 10.0 @f u7 | 0 == 1 F m-1
# 9 7 if else @f>R.close | 0 F m0
# 10 17 ifexp then | {"type": "list", "len": 2} T
# 11 7 if then @R.close | 9 T m9
# 12 3 ifexp then @R.close>note u11 | 9 T m9
# 13 28 comp loop x2 exhausted @main
# 14 23 if else in 28.0,21.0 @main>acc u13 | 1 is null F
# 15 23 if else in 28.1,21.1 @main>acc u13 | 2 is null F
# 16 23 if then in 21.2 @main>acc | null is null T
# 17 29 try except StopAsyncIteration @main !StopAsyncIteration
# 18 32 ifexp then @main u17 | {"type": "list", "len": 2} == {"type": "list", "len": 2} T
