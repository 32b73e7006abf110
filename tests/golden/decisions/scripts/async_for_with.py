import dyncore as torch, asyncio  # input: [2.0, 5.0]
class Rows:
    def __init__(self, x): self.x, self.k = x, 0
    def __aiter__(self): return self
    async def __anext__(self):
        if self.k >= len(self.x):
            raise StopAsyncIteration
        self.k += 1
        return self.x[self.k - 1]
class Guard:
    async def __aenter__(self): return 3
    async def __aexit__(self, kind, error, trace):
        return kind is ValueError or False
async def main(x):
    total = 0
    async with Guard() as limit:
        async for row in Rows(x):
            if row > limit:
                raise ValueError
            total = total + row
    return total
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 17 for loop x2 raise @forward>main
# 1 6 if else shape @forward>main>Rows.__anext__ | 0 >= 2 F m-2
# 2 18 if else tensor in 17.0 @forward>main u0 <gt | 2.0 > 3 F m-1
# 3 6 if else shape in 17.0 @forward>main>Rows.__anext__ u0 | 1 >= 2 F m-1
# 4 18 if then tensor in 17.1 @forward>main u0 <gt | 5.0 > 3 T m2
# 5 13 or short @forward>main>Guard.__aexit__ | {"type": "type"} is {"type": "type"} T
