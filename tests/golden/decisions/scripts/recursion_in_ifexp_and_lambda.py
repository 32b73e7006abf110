import dyncore as torch  # input: 5.0
fib = lambda n: n if n < 2 else fib(n - 1) + fib(n - 2)
def collatz(x, steps=0):
    return steps if x == 1 else collatz(x / 2 if x % 2 == 0 else 3 * x + 1, steps + 1)
def forward(x):
    n = collatz(x)
    return x * fib(3) if n == 5 else x

# ----
# 0 4 ifexp else tensor @forward>collatz <eq | 5.0 == 1 F m-4
# 1 4 ifexp else tensor @forward>collatz u0 <eq | 1.0 == 0 F m-1
# 2 4 ifexp else tensor @forward>collatz>collatz r1 u0 <eq | 16.0 == 1 F m-15
# 3 4 ifexp then tensor @forward>collatz>collatz r1 u2 <eq | 0.0 == 0 T m0
# 4 4 ifexp else tensor @forward>collatz>collatz>collatz r2 u2 <eq | 8.0 == 1 F m-7
# 5 4 ifexp then tensor @forward>collatz>collatz>collatz r2 u4 <eq | 0.0 == 0 T m0
# 6 4 ifexp else tensor @forward>collatz>collatz>collatz>collatz r3 u4 <eq | 4.0 == 1 F m-3
# 7 4 ifexp then tensor @forward>collatz>collatz>collatz>collatz r3 u6 <eq | 0.0 == 0 T m0
# 8 4 ifexp else tensor @forward>collatz>collatz>collatz>collatz>collatz r4 u6 <eq | 2.0 == 1 F m-1
# 9 4 ifexp then tensor @forward>collatz>collatz>collatz>collatz>collatz r4 u8 <eq | 0.0 == 0 T m0
# 10 4 ifexp then tensor @forward>collatz>collatz>collatz>collatz>collatz>collatz r5 u8 <eq | 1.0 == 1 T m0
# 11 7 ifexp then scalar~ @forward <eq | 5 == 5 T m0
# 12 2 ifexp else @forward><lambda> u11 | 3 < 2 F m-1
# 13 2 ifexp else @forward><lambda>><lambda> r1 u12 | 2 < 2 F m0
# 14 2 ifexp then @forward><lambda>><lambda>><lambda> r2 u13 | 1 < 2 T m1
# 15 2 ifexp then @forward><lambda>><lambda>><lambda> r2 u13 | 0 < 2 T m2
# 16 2 ifexp then @forward><lambda>><lambda> r1 u12 | 1 < 2 T m1
