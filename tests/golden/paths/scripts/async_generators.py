import asyncio
async def numbers(n):
    try:
        for k in range(n):
            if k == 3:
                return
            await asyncio.sleep(0)
            got = yield k
            if got:
                yield got
    finally:
        print("closed", n)
async def consume():
    async for v in numbers(2):
        if v: print("v", v)
    else:
        print("end")
    async for v in numbers(9):
        if v == 1: break
    print([v async for v in numbers(5) if v % 2 == 0])
    g = numbers(4)
    print(await g.asend(None), await g.asend("sent"), await anext(g))
    await g.aclose()
    print({v: w async for v in numbers(2) for w in range(2) if v != w})
async def both():
    a, b = await asyncio.gather(consume(), asyncio.sleep(0, "x"))
    return b if a is None else a
print(asyncio.run(both()))

# ----
# 0 14:for `async for v in numbers(2)` -> loop x2 exhausted | consume
# 1 4:for `for k in range(n)` -> loop x2 exhausted | consume numbers
# 2 5:if `k == 3` -> else [0 == 3 F] m-3 | in 4.0 | consume numbers | under 1
# 3 15:if `v` -> else [v=0 F] m0 | in 14.0 | consume | under 0
# 4 9:if `got` -> else [got=None F] | in 4.0 | consume numbers | under 2
# 5 5:if `k == 3` -> else [1 == 3 F] m-2 | in 4.1 | consume numbers | under 1
# 6 15:if `v` -> then [v=1 T] m1 | in 14.1 | consume | under 0
# 7 9:if `got` -> else [got=None F] | in 4.1 | consume numbers | under 5
# 8 18:for `async for v in numbers(9)` -> loop x2 break | consume
# 9 4:for `for k in range(n)` -> loop x2 break | consume numbers
# 10 5:if `k == 3` -> else [0 == 3 F] m-3 | in 4.0 | consume numbers | under 9
# 11 19:if `v == 1` -> else [0 == 1 F] m-1 | in 18.0 | consume | under 8
# 12 9:if `got` -> else [got=None F] | in 4.0 | consume numbers | under 10
# 13 5:if `k == 3` -> else [1 == 3 F] m-2 | in 4.1 | consume numbers | under 9
# 14 19:if `v == 1` -> then [1 == 1 T] m0 | in 18.1 | consume | under 8
# 15 20:comp `async for v in numbers(5)` -> loop x3 exhausted | consume
# 16 4:for `for k in range(n)` -> loop x4 return | consume numbers
# 17 5:if `k == 3` -> else [0 == 3 F] m-3 | in 4.0 | consume numbers | under 16
# 18 20:compif `v % 2 == 0` -> keep [0 == 0 T] m0 | in 20.0 | consume | under 15
# 19 9:if `got` -> else [got=None F] | in 4.0 | consume numbers | under 17
# 20 5:if `k == 3` -> else [1 == 3 F] m-2 | in 4.1 | consume numbers | under 16
# 21 20:compif `v % 2 == 0` -> drop [1 == 0 F] m-1 | in 20.1 | consume | under 15
# 22 9:if `got` -> else [got=None F] | in 4.1 | consume numbers | under 20
# 23 5:if `k == 3` -> else [2 == 3 F] m-1 | in 4.2 | consume numbers | under 16
# 24 20:compif `v % 2 == 0` -> keep [0 == 0 T] m0 | in 20.2 | consume | under 15
# 25 9:if `got` -> else [got=None F] | in 4.2 | consume numbers | under 23
# 26 5:if `k == 3` -> then [3 == 3 T] m0 | in 4.3 | consume numbers | under 16
# 27 4:for `for k in range(n)` -> loop x2 break | consume numbers
# 28 5:if `k == 3` -> else [0 == 3 F] m-3 | in 4.0 | consume numbers | under 27
# 29 9:if `got` -> then [got='sent' T] | in 4.0 | consume numbers | under 28
# 30 5:if `k == 3` -> else [1 == 3 F] m-2 | in 4.1 | consume numbers | under 27
# 31 24:comp `async for v in numbers(2)` -> loop x2 exhausted | consume
# 32 4:for `for k in range(n)` -> loop x2 exhausted | consume numbers
# 33 5:if `k == 3` -> else [0 == 3 F] m-3 | in 4.0 | consume numbers | under 32
# 34 24:comp `for w in range(2)` -> loop x2 exhausted | in 24.0 | consume | under 31
# 35 24:compif `v != w` -> drop [0 != 0 F] m0 | in 24.0 24.0 | consume | under 34
# 36 24:compif `v != w` -> keep [0 != 1 T] m1 | in 24.0 24.1 | consume | under 34
# 37 9:if `got` -> else [got=None F] | in 4.0 | consume numbers | under 33
# 38 5:if `k == 3` -> else [1 == 3 F] m-2 | in 4.1 | consume numbers | under 32
# 39 24:comp `for w in range(2)` -> loop x2 exhausted | in 24.1 | consume | under 31
# 40 24:compif `v != w` -> keep [1 != 0 T] m1 | in 24.1 24.0 | consume | under 39
# 41 24:compif `v != w` -> drop [1 != 1 F] m0 | in 24.1 24.1 | consume | under 39
# 42 9:if `got` -> else [got=None F] | in 4.1 | consume numbers | under 38
# 43 27:ifexp `a is None` -> then [None is None T] | both
