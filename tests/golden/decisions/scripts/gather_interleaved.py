import dyncore as torch, asyncio  # input: 1.0
async def step(name, x, seen):
    for k in range(2):
        await asyncio.sleep(0)
        if x > k:
            seen.append(name)
    return x
async def main(x):
    seen = []
    a, b = await asyncio.gather(step("a", x, seen), step("b", -x, seen))
    if seen == ["a"]:
        return a * 2
    return b
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 3 for loop x2 exhausted @forward>step
# 1 3 for loop x2 exhausted @forward>step
# 2 5 if then tensor in 3.0 @forward>step u0 <gt | 1.0 > 0 T m1
# 3 5 if else tensor in 3.0 @forward>step u1 <gt | -1.0 > 0 F m-1
# 4 5 if else tensor in 3.1 @forward>step u0 <gt | 1.0 > 1 F m0
# 5 5 if else tensor in 3.1 @forward>step u1 <gt | -1.0 > 1 F m-2
# 6 11 if then @forward>main | {"type": "list", "len": 1} == {"type": "list", "len": 1} T
