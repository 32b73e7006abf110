import dyncore as torch, asyncio  # input: [1.0, 2.0, 3.0]
async def src(x):
    for v in x:
        yield v
        if v > 1: return
async def run(x):
    out = [v * 2 async for v in src(x) if v < 9]
    async for v in src(x):
        if v > 1: break
    else:
        out = []
    return out
def forward(x): return asyncio.run(run(x))

# ----
# 0 7 comp loop shape x2 exhausted @forward>run
# 1 3 for loop shape x2 return @forward>run>src
# 2 7 compif keep tensor in 7.0 @forward>run u0 <lt | 1.0 < 9 T m8
# 3 5 if else tensor in 3.0 @forward>run>src u1 <gt | 1.0 > 1 F m0
# 4 7 compif keep tensor in 7.1 @forward>run u0 <lt | 2.0 < 9 T m7
# 5 5 if then tensor in 3.1 @forward>run>src u1 <gt | 2.0 > 1 T m1
# 6 8 for loop scalar~ x2 break @forward>run <gt
# 7 3 for loop shape x2 break @forward>run>src
# 8 9 if else tensor in 8.0 @forward>run u6 <gt | 1.0 > 1 F m0
# 9 5 if else tensor in 3.0 @forward>run>src u7 <gt | 1.0 > 1 F m0
# 10 9 if then tensor in 8.1 @forward>run u6 <gt | 2.0 > 1 T m1
