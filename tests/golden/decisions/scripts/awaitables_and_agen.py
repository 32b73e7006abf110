import dyncore as torch, asyncio  # input: [1.0, 2.0, 3.0]
class Once:
    def __init__(self, n): self.n = n
    def __await__(self):
        for k in range(self.n):
            if k == 1: yield
        return self.n
async def ticker(n):
    try:
        for k in range(n):
            got = yield k
            if got is not None and got > 1: return
    finally:
        await asyncio.sleep(0)
        if n: pass
async def consume(x):
    agen = ticker(5)
    first = await agen.asend(None)
    if first == 0:
        second = await agen.asend(1)
    try:
        await agen.asend(2)
    except StopAsyncIteration:
        second = second + 1 if second else 0
    t = ticker(2)
    async for k in t:
        if k == 0: break
    await t.aclose()
    return second
async def slow(v, ev):
    await ev.wait()
    return v if v > 1 else -v
async def main(x):
    ev = asyncio.Event()
    tasks = [asyncio.create_task(slow(v, ev)) for v in x]
    n = await Once(3)
    if not ev.is_set(): ev.set()
    done = await asyncio.gather(*tasks)
    try:
        async with asyncio.timeout(0.001) if n > 2 else asyncio.timeout(None):
            while True: await asyncio.sleep(0.01)
    except TimeoutError:
        n = n + 1
    best = {k: v for k, v in enumerate(done) if v > 0}
    lock = asyncio.Lock()
    async with lock:
        r = await consume(x) or 7
    return sum(best.values()) * r + (n if await asyncio.sleep(0, n > 3) else 0)
def forward(x):
    return asyncio.run(main(x)) * x

# ----
# 0 35 comp loop shape x3 exhausted @forward>main
# 1 5 for loop x3 exhausted @forward>main>Once.__await__
# 2 6 if else in 5.0 @forward>main>Once.__await__ u1 | 0 == 1 F m-1
# 3 6 if then in 5.1 @forward>main>Once.__await__ u1 | 1 == 1 T m0
# 4 6 if else in 5.2 @forward>main>Once.__await__ u1 | 2 == 1 F m-1
# 5 37 if then @forward>main | false F
# 6 32 ifexp else tensor @forward>slow <gt | 1.0 > 1 F m0
# 7 32 ifexp then tensor @forward>slow <gt | 2.0 > 1 T m1
# 8 32 ifexp then tensor @forward>slow <gt | 3.0 > 1 T m2
# 9 40 ifexp then @forward>main | 3 > 2 T m1
# 10 39 try except TimeoutError @forward>main !TimeoutError
# 11 44 comp loop shape x3 exhausted @forward>main
# 12 44 compif drop tensor in 44.0 @forward>main u11 <gt | -1.0 > 0 F m-1
# 13 44 compif keep tensor in 44.1 @forward>main u11 <gt | 2.0 > 0 T m2
# 14 44 compif keep tensor in 44.2 @forward>main u11 <gt | 3.0 > 0 T m3
# 15 10 for loop x2 return @forward>main>consume>ticker
# 16 19 if then @forward>main>consume | 0 == 0 T m0
# 17 12 if else in 10.0 @forward>main>consume>ticker u15 | 1 is not null T; 1 > 1 F m0
# 18 12 if then in 10.1 @forward>main>consume>ticker u15 | 2 is not null T; 2 > 1 T m1
# 19 15 if then @forward>main>consume>ticker | 5 T m5
# 20 21 try except StopAsyncIteration @forward>main>consume !StopAsyncIteration
# 21 24 ifexp then @forward>main>consume u20 | 1 T m1
# 22 26 for loop x1 break @forward>main>consume
# 23 10 for loop x1 break @forward>main>consume>ticker
# 24 27 if then in 26.0 @forward>main>consume u22 | 0 == 0 T m0
# 25 15 if then @forward>main>consume>ticker | 2 T m2
# 26 47 or short @forward>main | 2 T m2
# 27 48 ifexp then @forward>main | true T
