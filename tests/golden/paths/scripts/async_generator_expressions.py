import asyncio

async def ticks(n):
    for k in range(n):
        yield k

async def main():
    big = (k async for k in ticks(4) if k > 1)
    async for k in big:
        if k == 2:
            break
    waiting = (await soon(k) for k in (0, 1))
    return [v async for v in waiting if v]

async def soon(k):
    await asyncio.sleep(0)
    return k or None

asyncio.run(main())

# ----
# 0 8:comp `async for k in ticks(4)` -> loop x3 break | main
# 1 9:for `async for k in big` -> loop x1 break | main
# 2 4:for `for k in range(n)` -> loop x3 break | main ticks
# 3 8:compif `k > 1` -> drop [0 > 1 F] m-1 | in 8.0 | main | under 0
# 4 8:compif `k > 1` -> drop [1 > 1 F] m0 | in 8.1 | main | under 0
# 5 8:compif `k > 1` -> keep [2 > 1 T] m1 | in 8.2 | main | under 0
# 6 10:if `k == 2` -> then [2 == 2 T] m0 | in 9.0 | main | under 1
# 7 12:comp `for k in (0, 1)` -> loop x2 exhausted | main
# 8 13:comp `async for v in waiting` -> loop x2 exhausted | main
# 9 17:or `k or None` -> rest [k=0 F] m0 | in 12.0 | main soon | under 7
# 10 13:compif `v` -> drop [v=None F] | in 13.0 | main | under 8
# 11 17:or `k or None` -> short [k=1 T] m1 | in 12.1 | main soon | under 7
# 12 13:compif `v` -> keep [v=1 T] m1 | in 13.1 | main | under 8
