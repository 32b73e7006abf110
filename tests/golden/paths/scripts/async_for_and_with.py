import asyncio
from contextlib import asynccontextmanager

@asynccontextmanager
async def opened(n):
    if n:
        yield n

async def ticks(n):
    for k in range(n):
        yield k

async def main():
    async with opened(2) as n:
        async for k in ticks(n):
            if k == 1:
                break
        else:
            return None
    return [k async for k in ticks(3) if k]

asyncio.run(main())

# ----
# 0 6:if `n` -> then [n=2 T] m2 | main opened
# 1 15:for `async for k in ticks(n)` -> loop x2 break | main
# 2 10:for `for k in range(n)` -> loop x2 break | main ticks
# 3 16:if `k == 1` -> else [0 == 1 F] m-1 | in 15.0 | main | under 1
# 4 16:if `k == 1` -> then [1 == 1 T] m0 | in 15.1 | main | under 1
# 5 20:comp `async for k in ticks(3)` -> loop x3 exhausted | main
# 6 10:for `for k in range(n)` -> loop x3 exhausted | main ticks
# 7 20:compif `k` -> drop [k=0 F] m0 | in 20.0 | main | under 5
# 8 20:compif `k` -> keep [k=1 T] m1 | in 20.1 | main | under 5
# 9 20:compif `k` -> keep [k=2 T] m2 | in 20.2 | main | under 5
