import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    n = int(x.sum().item())
    for i in range(n):
        if i == n - 1: x = x * 2
    k = 0
    while k < n:
        k += 2
    for _ in range(x.argmax()): x = x + 1
    return x

# ----
# 0 4 for loop scalar~ x3 exhausted @forward <sum
# 1 5 if else scalar~ in 4.0 @forward u0 <sum | 0 == 2 F m-2
# 2 5 if else scalar~ in 4.1 @forward u0 <sum | 1 == 2 F m-1
# 3 5 if then scalar~ in 4.2 @forward u0 <sum | 2 == 2 T m0
# 4 7 while body scalar~ #0 @forward <sum | 0 < 3 T m3
# 5 7 while body scalar~ #1 @forward <sum | 2 < 3 T m1
# 6 7 while exit scalar~ #2 @forward <sum | 4 < 3 F m-1
# 7 9 for loop scalar~ x1 exhausted @forward <argmax
