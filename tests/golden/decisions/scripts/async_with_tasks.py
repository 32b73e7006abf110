import dyncore as torch, asyncio  # input: 2.0
class Lock:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return 1 if self else 0
    async def __aexit__(self, *e):
        if e[0] is not None: return True
async def job(x, k):
    async with Lock() as n:
        if x > k + n - 1:
            raise ValueError
        return "small"
    return "big"
async def main(x):
    return [await job(x, k) for k in (0, 5)]
def forward(x):
    r = asyncio.run(main(x))
    return x if r == ["big", "small"] else -x

# ----
# 0 15 comp loop x2 exhausted @forward>main
# 1 5 ifexp then in 15.0 @forward>main>job>Lock.__aenter__ u0 | {"type": "Lock"} T
# 2 10 if then tensor in 15.0 @forward>main>job u0 <gt | 2.0 > 0 T m2
# 3 7 if then in 15.0 @forward>main>job>Lock.__aexit__ u0 | {"type": "type"} is not null T
# 4 5 ifexp then in 15.1 @forward>main>job>Lock.__aenter__ u0 | {"type": "Lock"} T
# 5 10 if else tensor in 15.1 @forward>main>job u0 <gt | 2.0 > 5 F m-3
# 6 7 if else in 15.1 @forward>main>job>Lock.__aexit__ u0 | null is not null F
# 7 18 ifexp then @forward | {"type": "list", "len": 2} == {"type": "list", "len": 2} T
