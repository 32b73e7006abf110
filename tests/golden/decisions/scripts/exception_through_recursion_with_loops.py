import dyncore as torch  # input: 2.0
class Found(Exception): pass
def search(x, depth):
    for k in range(2):
        if depth == 2 and k == 1:
            raise Found(depth, k)
        if depth < 2:
            search(x * 2, depth + 1)
def forward(x):
    while True:
        try:
            search(x, 1)
        except Found as found:
            if found.args[0] > 1:
                break
    return x * 2 if x > 1 else x

# ----
# 0 4 for loop x1 raise in 10.0 @forward>search
# 1 5 if else in 10.0,4.0 @forward>search u0 | 1 == 2 F m-1
# 2 7 if then in 10.0,4.0 @forward>search u1 | 1 < 2 T m1
# 3 4 for loop x2 raise in 10.0,4.0 @forward>search>search r1 u2
# 4 5 if else in 10.0,4.0,4.0 @forward>search>search r1 u3 | 2 == 2 T; 0 == 1 F m-1
# 5 7 if else in 10.0,4.0,4.0 @forward>search>search r1 u4 | 2 < 2 F m0
# 6 5 if then in 10.0,4.0,4.1 @forward>search>search r1 u3 | 2 == 2 T; 1 == 1 T m0
# 7 11 try except Found in 10.0 @forward !Found
# 8 14 if then in 10.0 @forward u7 | 2 > 1 T m1
# 9 16 ifexp then tensor @forward <gt | 2.0 > 1 T m1
