import dyncore as torch, asyncio  # input: [1.0, -2.0, 3.0]
class Res:
    def __init__(self, ok): self.ok = ok
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self if self.ok else None
    async def __aexit__(self, t, v, tb):
        return t is not None and issubclass(t, ValueError)
async def rows(x):
    for i, v in enumerate(x):
        if i % 2 == 0: await asyncio.sleep(0)
        yield v if v > 0 else -v
async def work(x, k):
    n = 0
    async with Res(k) as r:
        if r is None: raise ValueError
        async for v in rows(x):
            if v > k: n = n + v
            elif v == k: continue
            else: break
    got = [v async for v in rows(x) if v > 2 if await big(v)]
    return n + len(got)
async def big(v):
    await asyncio.sleep(0)
    return v.item() > 2.5
async def main(x):
    a, b, e = await asyncio.gather(work(x, 1), work(x, 0), bad(), return_exceptions=True)
    return a + b if isinstance(e, OSError) else a
async def bad():
    try:
        raise OSError
    finally:
        await asyncio.sleep(0)
def forward(x):
    return asyncio.run(main(x)) * x

# ----
# 0 6 ifexp then @forward>work>Res.__aenter__ | 1 T m1
# 1 16 if else @forward>work | {"type": "Res"} is null F
# 2 17 for loop shape x3 exhausted @forward>work u1
# 3 10 for loop shape x3 exhausted @forward>work>rows u1
# 4 11 if then in 10.0 @forward>work>rows u3 | 0 == 0 T m0
# 5 6 ifexp else @forward>work>Res.__aenter__ | 0 F m0
# 6 16 if then @forward>work | null is null T
# 7 8 and rest @forward>work>Res.__aexit__ | {"type": "type"} is not null T
# 8 21 comp loop shape x3 exhausted @forward>work
# 9 10 for loop shape x3 exhausted @forward>work>rows
# 10 11 if then in 10.0 @forward>work>rows u9 | 0 == 0 T m0
# 11 12 ifexp then tensor in 10.0 @forward>work>rows u3 <gt | 1.0 > 0 T m1
# 12 18 if else tensor in 17.0 @forward>work u2 <gt | 1.0 > 1 F m0
# 13 19 elif then tensor in 17.0 @forward>work u12 <eq | 1.0 == 1 T m0
# 14 11 if else in 10.1 @forward>work>rows u3 | 1 == 0 F m-1
# 15 12 ifexp else tensor in 10.1 @forward>work>rows u3 <gt | -2.0 > 0 F m-2
# 16 18 if then tensor in 17.1 @forward>work u2 <gt | 2.0 > 1 T m1
# 17 11 if then in 10.2 @forward>work>rows u3 | 0 == 0 T m0
# 18 12 ifexp then tensor in 10.0 @forward>work>rows u9 <gt | 1.0 > 0 T m1
# 19 21 compif drop tensor in 21.0 @forward>work u8 <gt | 1.0 > 2 F m-1
# 20 11 if else in 10.1 @forward>work>rows u9 | 1 == 0 F m-1
# 21 12 ifexp else tensor in 10.1 @forward>work>rows u9 <gt | -2.0 > 0 F m-2
# 22 21 compif drop tensor in 21.1 @forward>work u8 <gt | 2.0 > 2 F m0
# 23 11 if then in 10.2 @forward>work>rows u9 | 0 == 0 T m0
# 24 12 ifexp then tensor in 10.2 @forward>work>rows u3 <gt | 3.0 > 0 T m3
# 25 18 if then tensor in 17.2 @forward>work u2 <gt | 3.0 > 1 T m2
# 26 8 and short @forward>work>Res.__aexit__ | null is not null F
# 27 21 comp loop shape x3 exhausted @forward>work
# 28 10 for loop shape x3 exhausted @forward>work>rows
# 29 11 if then in 10.0 @forward>work>rows u28 | 0 == 0 T m0
# 30 12 ifexp then tensor in 10.2 @forward>work>rows u9 <gt | 3.0 > 0 T m3
# 31 21 compif keep tensor in 21.2 @forward>work u8 <gt | 3.0 > 2 T m1
# 32 12 ifexp then tensor in 10.0 @forward>work>rows u28 <gt | 1.0 > 0 T m1
# 33 21 compif drop tensor in 21.0 @forward>work u27 <gt | 1.0 > 2 F m-1
# 34 11 if else in 10.1 @forward>work>rows u28 | 1 == 0 F m-1
# 35 12 ifexp else tensor in 10.1 @forward>work>rows u28 <gt | -2.0 > 0 F m-2
# 36 21 compif drop tensor in 21.1 @forward>work u27 <gt | 2.0 > 2 F m0
# 37 11 if then in 10.2 @forward>work>rows u28 | 0 == 0 T m0
# 38 21 compif keep scalar~ in 21.2 @forward>work u31 <unbind | true T
# 39 12 ifexp then tensor in 10.2 @forward>work>rows u28 <gt | 3.0 > 0 T m3
# 40 21 compif keep tensor in 21.2 @forward>work u27 <gt | 3.0 > 2 T m1
# 41 21 compif keep scalar~ in 21.2 @forward>work u40 <unbind | true T
# 42 28 ifexp then @forward>main | true T
