import asyncio

async def work(n):
    await asyncio.sleep(0)
    if n > 1:
        await asyncio.sleep(0)
        return "slow"
    return "fast"

async def main():
    done = await asyncio.gather(work(1), work(2))
    if done[0] == "fast":
        return await work(0)

asyncio.run(main())

# ----
# 0 5:if `n > 1` -> else [1 > 1 F] m0 | work
# 1 5:if `n > 1` -> then [2 > 1 T] m1 | work
# 2 12:if `done[0] == "fast"` -> then ['fast' == 'fast' T] | main
# 3 5:if `n > 1` -> else [0 > 1 F] m-1 | main work | under 2
