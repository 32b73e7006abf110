import dyncore as torch, asyncio, types  # input: [1.0, 2.0]
class Turns:
    def __init__(self, n): self.n = n
    def __await__(self):
        for k in range(self.n):
            if k: yield
        return (yield from other(self.n)) if self.n > 1 else self.n
def other(n):
    while n:
        n -= 1
        yield
    return 5 if n == 0 else 6
@types.coroutine
def plain(n):
    for k in range(n):
        got = yield
        if got is None and k: return k
async def job(v):
    for i in range(2):
        r = await Turns(2)
        if await plain(3) == 1 and v > i: r = r + v
    return r
async def main(x):
    a, b = await asyncio.gather(*(job(v) for v in x))
    return a + b if a < b else b
def forward(x):
    return asyncio.run(main(x)) * x

# ----
# 0 24 comp loop shape x2 exhausted @forward>main
# 1 19 for loop x2 exhausted @forward>job
# 2 5 for loop x2 exhausted in 19.0 @forward>job>Turns.__await__ u1
# 3 6 if else in 19.0,5.0 @forward>job>Turns.__await__ u2 | 0 F m0
# 4 6 if then in 19.0,5.1 @forward>job>Turns.__await__ u2 | 1 T m1
# 5 19 for loop x2 exhausted @forward>job
# 6 5 for loop x2 exhausted in 19.0 @forward>job>Turns.__await__ u5
# 7 6 if else in 19.0,5.0 @forward>job>Turns.__await__ u6 | 0 F m0
# 8 6 if then in 19.0,5.1 @forward>job>Turns.__await__ u6 | 1 T m1
# 9 7 ifexp then in 19.0 @forward>job>Turns.__await__ u1 | 2 > 1 T m1
# 10 9 while body #0 in 19.0 @forward>job>Turns.__await__>other u9 | 2 T m2
# 11 7 ifexp then in 19.0 @forward>job>Turns.__await__ u5 | 2 > 1 T m1
# 12 9 while body #0 in 19.0 @forward>job>Turns.__await__>other u11 | 2 T m2
# 13 9 while body #1 in 19.0 @forward>job>Turns.__await__>other u9 | 1 T m1
# 14 9 while body #1 in 19.0 @forward>job>Turns.__await__>other u11 | 1 T m1
# 15 9 while exit #2 in 19.0 @forward>job>Turns.__await__>other u9 | 0 F m0
# 16 12 ifexp then in 19.0 @forward>job>Turns.__await__>other u9 | 0 == 0 T m0
# 17 15 for loop x2 return in 19.0 @forward>job>plain u1
# 18 9 while exit #2 in 19.0 @forward>job>Turns.__await__>other u11 | 0 F m0
# 19 12 ifexp then in 19.0 @forward>job>Turns.__await__>other u11 | 0 == 0 T m0
# 20 15 for loop x2 return in 19.0 @forward>job>plain u5
# 21 17 if else in 19.0,15.0 @forward>job>plain u17 | null is null T; 0 F m0
# 22 17 if else in 19.0,15.0 @forward>job>plain u20 | null is null T; 0 F m0
# 23 17 if then in 19.0,15.1 @forward>job>plain u17 | null is null T; 1 T m1
# 24 21 if then tensor in 19.0 @forward>job u1 <gt | 1 == 1 T; 1.0 > 0 T m0
# 25 5 for loop x2 exhausted in 19.1 @forward>job>Turns.__await__ u1
# 26 6 if else in 19.1,5.0 @forward>job>Turns.__await__ u25 | 0 F m0
# 27 6 if then in 19.1,5.1 @forward>job>Turns.__await__ u25 | 1 T m1
# 28 17 if then in 19.0,15.1 @forward>job>plain u20 | null is null T; 1 T m1
# 29 21 if then tensor in 19.0 @forward>job u5 <gt | 1 == 1 T; 2.0 > 0 T m0
# 30 5 for loop x2 exhausted in 19.1 @forward>job>Turns.__await__ u5
# 31 6 if else in 19.1,5.0 @forward>job>Turns.__await__ u30 | 0 F m0
# 32 6 if then in 19.1,5.1 @forward>job>Turns.__await__ u30 | 1 T m1
# 33 7 ifexp then in 19.1 @forward>job>Turns.__await__ u1 | 2 > 1 T m1
# 34 9 while body #0 in 19.1 @forward>job>Turns.__await__>other u33 | 2 T m2
# 35 7 ifexp then in 19.1 @forward>job>Turns.__await__ u5 | 2 > 1 T m1
# 36 9 while body #0 in 19.1 @forward>job>Turns.__await__>other u35 | 2 T m2
# 37 9 while body #1 in 19.1 @forward>job>Turns.__await__>other u33 | 1 T m1
# 38 9 while body #1 in 19.1 @forward>job>Turns.__await__>other u35 | 1 T m1
# 39 9 while exit #2 in 19.1 @forward>job>Turns.__await__>other u33 | 0 F m0
# 40 12 ifexp then in 19.1 @forward>job>Turns.__await__>other u33 | 0 == 0 T m0
# 41 15 for loop x2 return in 19.1 @forward>job>plain u1
# 42 9 while exit #2 in 19.1 @forward>job>Turns.__await__>other u35 | 0 F m0
# 43 12 ifexp then in 19.1 @forward>job>Turns.__await__>other u35 | 0 == 0 T m0
# 44 15 for loop x2 return in 19.1 @forward>job>plain u5
# 45 17 if else in 19.1,15.0 @forward>job>plain u41 | null is null T; 0 F m0
# 46 17 if else in 19.1,15.0 @forward>job>plain u44 | null is null T; 0 F m0
# 47 17 if then in 19.1,15.1 @forward>job>plain u41 | null is null T; 1 T m1
# 48 21 if else tensor in 19.1 @forward>job u1 <gt | 1 == 1 T; 1.0 > 1 F m0
# 49 17 if then in 19.1,15.1 @forward>job>plain u44 | null is null T; 1 T m1
# 50 21 if then tensor in 19.1 @forward>job u5 <gt | 1 == 1 T; 2.0 > 1 T m0
# 51 25 ifexp then tensor @forward>main <gt | 5 < 7.0 T m2
