import dyncore as torch, asyncio  # input: 2.0
async def worker(x, box):
    while True:
        await asyncio.sleep(0)
        if x > 1:
            box.append(x)
        if len(box) >= 2:
            return box[-1]
async def forever():
    try:
        while True:
            await asyncio.sleep(0)
    except asyncio.CancelledError:
        return 7
async def main(x):
    box = []
    other = asyncio.ensure_future(forever())
    async with asyncio.TaskGroup() as group:
        task = group.create_task(worker(x, box))
    other.cancel()
    seven = await other
    return task.result() * seven if seven == 7 else x
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 5 if then tensor in 3.0 @forward>worker <gt | 2.0 > 1 T m1
# 1 7 if else scalar~ in 3.0 @forward>worker <gt | 1 >= 2 F m-1
# 2 5 if then tensor in 3.1 @forward>worker <gt | 2.0 > 1 T m1
# 3 7 if then scalar~ in 3.1 @forward>worker <gt | 2 >= 2 T m0
# 4 10 try except asyncio.CancelledError @forward>forever !CancelledError
# 5 22 ifexp then @forward>main | 7 == 7 T m0
