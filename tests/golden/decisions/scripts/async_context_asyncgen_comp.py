import dyncore as torch, asyncio  # input: [1.0, 3.0]
from contextlib import asynccontextmanager
@asynccontextmanager
async def scaled(x, by):
    try:
        yield x * by if by > 1 else x
    except ValueError:
        if by == 2:
            return
        raise
async def pairs(x):
    for k, v in enumerate(x):
        yield k, v
async def main(x):
    async with scaled(x, 2) as y:
        found = {k: v async for k, v in pairs(y) if v > 3}
        for k in found:
            if k == 1:
                raise ValueError
    return y if found else x
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 6 ifexp then @forward>main>scaled | 2 > 1 T m1
# 1 16 comp loop shape x2 exhausted @forward>main <mul
# 2 12 for loop shape x2 exhausted @forward>main>pairs <mul
# 3 16 compif drop tensor in 16.0 @forward>main u1 <gt | 2.0 > 3 F m-1
# 4 16 compif keep tensor in 16.1 @forward>main u1 <gt | 6.0 > 3 T m3
# 5 17 for loop scalar~ x1 raise @forward>main <gt
# 6 18 if then scalar~ in 17.0 @forward>main u5 <gt | 1 == 1 T m0
# 7 5 try except ValueError @forward>main>scaled !ValueError
# 8 8 if then @forward>main>scaled u7 | 2 == 2 T m0
# 9 20 ifexp then scalar~ @forward>main <gt | {"type": "dict", "len": 1} T
