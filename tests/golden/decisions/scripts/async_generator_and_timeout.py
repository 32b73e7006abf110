import dyncore as torch, asyncio  # input: [1.0, -1.0, 2.0]
async def rows(x):
    for v in x:
        await asyncio.sleep(0)
        if v < 0:
            continue
        yield v
async def main(x):
    kept = [v async for v in rows(x) if v > 1]
    async for v in rows(x):
        if v == 1:
            break
    else:
        return x
    try:
        await asyncio.wait_for(asyncio.sleep(5), 0.001)
    except TimeoutError:
        return kept[0] * 2
def forward(x):
    return asyncio.run(main(x))

# ----
# 0 9 comp loop scalar~ x2 exhausted @forward>main <lt
# 1 3 for loop shape x3 exhausted @forward>main>rows
# 2 5 if else tensor in 3.0 @forward>main>rows u1 <lt | 1.0 < 0 F m-1
# 3 9 compif drop tensor in 9.0 @forward>main u0 <gt | 1.0 > 1 F m0
# 4 5 if then tensor in 3.1 @forward>main>rows u1 <lt | -1.0 < 0 T m1
# 5 5 if else tensor in 3.2 @forward>main>rows u1 <lt | 2.0 < 0 F m-2
# 6 9 compif keep tensor in 9.1 @forward>main u0 <gt | 2.0 > 1 T m1
# 7 10 for loop scalar~ x1 break @forward>main <lt
# 8 3 for loop shape x1 break @forward>main>rows
# 9 5 if else tensor in 3.0 @forward>main>rows u8 <lt | 1.0 < 0 F m-1
# 10 11 if then tensor in 10.0 @forward>main u7 <eq | 1.0 == 1 T m0
# 11 15 try except TimeoutError @forward>main !TimeoutError
