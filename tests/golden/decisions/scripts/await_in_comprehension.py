import dyncore as torch, asyncio  # input: [1.0, 2.0]
async def big(v):
    await asyncio.sleep(0)
    return v > 1
async def twice(v):
    return v * 2 if await big(v) else v
async def main(x):
    kept = [await twice(v) for v in x if await big(v)]
    done = await asyncio.gather(big(x[0]), fail(), return_exceptions=True)
    return kept[0] if isinstance(done[1], ValueError) and not done[0] else x
async def fail():
    raise ValueError
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 8 comp loop shape x2 exhausted @forward>main
# 1 8 compif drop tensor in 8.0 @forward>main u0 <gt | 1.0 > 1 F m0
# 2 8 compif keep tensor in 8.1 @forward>main u0 <gt | 2.0 > 1 T m1
# 3 6 ifexp then tensor in 8.1 @forward>main>twice u2 <gt | 2.0 > 1 T m1
# 4 10 ifexp then tensor @forward>main <gt | true T; 1.0 > 1 F m0
