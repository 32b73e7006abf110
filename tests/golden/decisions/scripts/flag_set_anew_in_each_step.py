# input: [1.0, 2.0]
import dyncore as torch


def forward(x):
    large = False
    for t in range(4):
        found = False
        if t % 2 == 0:
            found = x.sum().item() > 99
            large = x.max().item() < t
        if found:
            x = x + 1
        if large:
            x = x + 2
    first = x.sum().item() > 1
    first = True
    return x * 2 if first else x

# ----
# 0 7 for loop x4 exhausted @forward
# 1 9 if then in 7.0 @forward u0 | 0 == 0 T m0
# 2 12 if else scalar~ in 7.0 @forward u0 <sum | 3.0 > 99 F m-96
# 3 14 if else scalar~ in 7.0 @forward u0 <max | 2.0 < 0 F m-2
# 4 9 if else in 7.1 @forward u0 | 1 == 0 F m-1
# 5 12 if else scalar~ in 7.1 @forward u0 <sum | false F
# 6 14 if else scalar~ in 7.1 @forward u0 <max | 2.0 < 0 F m-2
# 7 9 if then in 7.2 @forward u0 | 0 == 0 T m0
# 8 12 if else scalar~ in 7.2 @forward u0 <sum | 3.0 > 99 F m-96
# 9 14 if else scalar~ in 7.2 @forward u0 <max | 2.0 < 2 F m0
# 10 9 if else in 7.3 @forward u0 | 1 == 0 F m-1
# 11 12 if else scalar~ in 7.3 @forward u0 <sum | false F
# 12 14 if else scalar~ in 7.3 @forward u0 <max | 2.0 < 2 F m0
# 13 18 ifexp then scalar~ @forward <sum | true T
