import dyncore as torch, asyncio  # input: 2.0
def heavy(x):
    while x > 1:
        x = x / 2
    return x
async def main(x):
    lock = asyncio.Lock()
    async with lock:
        y = await asyncio.to_thread(heavy, x)
    if y == 1:
        return y
    return x
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 3 while body tensor #0 @heavy <gt | 2.0 > 1 T m1
# 1 3 while exit tensor #1 @heavy <gt | 1.0 > 1 F m0
# 2 10 if then tensor @forward>main <eq | 1.0 == 1 T m0
