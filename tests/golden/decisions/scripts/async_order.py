import dyncore as torch, asyncio  # input: 2.0
async def half(x):
    await asyncio.sleep(0)
    if x > 1:
        return await half(x / 2)
    return x
async def both(x):
    return await asyncio.gather(half(x), half(x * 2))
def forward(x):
    return sum(asyncio.run(both(x)))

# ----
# 0 4 if then tensor @forward>half <gt | 2.0 > 1 T m1
# 1 4 if then tensor @forward>half <gt | 4.0 > 1 T m3
# 2 4 if else tensor @forward>half>half r1 u0 <gt | 1.0 > 1 F m0
# 3 4 if then tensor @forward>half>half r1 u1 <gt | 2.0 > 1 T m1
# 4 4 if else tensor @forward>half>half>half r2 u3 <gt | 1.0 > 1 F m0
