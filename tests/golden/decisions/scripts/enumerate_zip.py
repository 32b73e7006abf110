import dyncore as torch  # input: [1.0, 2.0, 3.0]
def forward(x):
    for i, v in enumerate(x):
        if i > 1:
            break
        if v > i:
            x = x + 1
    for k in range(len(x)):
        if k == 1: continue
    for a, b in zip(x, [1, 2]):
        if b > 1: x = x * a
    return x

# ----
# 0 3 for loop shape x3 break @forward
# 1 4 if else in 3.0 @forward u0 | 0 > 1 F m-1
# 2 6 if then tensor in 3.0 @forward u1 <gt | 1.0 > 0 T m1
# 3 4 if else in 3.1 @forward u0 | 1 > 1 F m0
# 4 6 if then tensor in 3.1 @forward u3 <gt | 2.0 > 1 T m1
# 5 4 if then in 3.2 @forward u0 | 2 > 1 T m1
# 6 8 for loop shape x3 exhausted @forward <add
# 7 9 if else shape in 8.0 @forward u6 <add | 0 == 1 F m-1
# 8 9 if then shape in 8.1 @forward u6 <add | 1 == 1 T m0
# 9 9 if else shape in 8.2 @forward u6 <add | 2 == 1 F m-1
# 10 10 for loop shape x2 exhausted @forward <add
# 11 11 if else in 10.0 @forward u10 | 1 > 1 F m0
# 12 11 if then in 10.1 @forward u10 | 2 > 1 T m1
