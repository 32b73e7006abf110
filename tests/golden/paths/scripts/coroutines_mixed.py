import asyncio, contextlib
class Lock:
    async def __aenter__(self): return self
    async def __aexit__(self, kind, e, tb):
        if kind is KeyError: return True
async def job(n, order):
    async with Lock():
        if n == 2: raise KeyError
        await asyncio.sleep(0)
        order.append(n)
        return "done" if n else "zero"
    return "suppressed"
async def ticker(n):
    while n > 0:
        yield n
        n -= 1
        await asyncio.sleep(0)
async def main():
    order = []
    results = await asyncio.gather(*(job(n, order) for n in range(3) if n != 5))
    evens = [t async for t in ticker(4) if t % 2 == 0]
    try:
        async with asyncio.timeout(5):
            return (results if all(results) else None), evens, order, await job(1, order) or 0
    except TimeoutError:
        return None
print(asyncio.run(main()))

# ----
# 0 20:comp `for n in range(3)` -> loop x3 exhausted | main
# 1 20:compif `n != 5` -> keep [0 != 5 T] m5 | in 20.0 | main | under 0
# 2 20:compif `n != 5` -> keep [1 != 5 T] m4 | in 20.1 | main | under 0
# 3 20:compif `n != 5` -> keep [2 != 5 T] m3 | in 20.2 | main | under 0
# 4 8:if `n == 2` -> else [0 == 2 F] m-2 | job
# 5 8:if `n == 2` -> else [1 == 2 F] m-1 | job
# 6 8:if `n == 2` -> then [2 == 2 T] m0 | job
# 7 5:if `kind is KeyError` -> then [type is type T] | job Lock.__aexit__
# 8 11:ifexp `n` -> else [n=0 F] m0 | job | under 4
# 9 5:if `kind is KeyError` -> else [None is type F] | job Lock.__aexit__
# 10 11:ifexp `n` -> then [n=1 T] m1 | job | under 5
# 11 5:if `kind is KeyError` -> else [None is type F] | job Lock.__aexit__
# 12 21:comp `async for t in ticker(4)` -> loop x4 exhausted | main
# 13 14:while `n > 0` -> body #0 [4 > 0 T] m4 | main ticker
# 14 21:compif `t % 2 == 0` -> keep [0 == 0 T] m0 | in 21.0 | main | under 12
# 15 14:while `n > 0` -> body #1 [3 > 0 T] m3 | main ticker
# 16 21:compif `t % 2 == 0` -> drop [1 == 0 F] m-1 | in 21.1 | main | under 12
# 17 14:while `n > 0` -> body #2 [2 > 0 T] m2 | main ticker
# 18 21:compif `t % 2 == 0` -> keep [0 == 0 T] m0 | in 21.2 | main | under 12
# 19 14:while `n > 0` -> body #3 [1 > 0 T] m1 | main ticker
# 20 21:compif `t % 2 == 0` -> drop [1 == 0 F] m-1 | in 21.3 | main | under 12
# 21 14:while `n > 0` -> exit #4 [0 > 0 F] m0 | main ticker
# 22 24:ifexp `all(results)` -> then [all(results)=True T] | main
# 23 8:if `n == 2` -> else [1 == 2 F] m-1 | main job
# 24 11:ifexp `n` -> then [n=1 T] m1 | main job | under 23
# 25 5:if `kind is KeyError` -> else [None is type F] | main job Lock.__aexit__
# 26 24:or `await job(1, order) or 0` -> short [await job(1, order)='done' T] | main
