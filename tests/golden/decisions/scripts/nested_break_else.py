import dyncore as torch  # input: [1.0, 5.0]
def forward(x):
    for i in range(3):
        for v in x:
            if v > 2:
                break
            x = x + 1
        else:
            x = x * 10
            continue
        if i == 1:
            break
    else:
        x = x - 1
    return x

# ----
# 0 3 for loop x2 break @forward
# 1 4 for loop shape x2 break in 3.0 @forward u0
# 2 5 if else tensor in 3.0,4.0 @forward u1 <gt | 1.0 > 2 F m-1
# 3 5 if then tensor in 3.0,4.1 @forward u1 <gt | 5.0 > 2 T m3
# 4 11 if else in 3.0 @forward u0 | 0 == 1 F m-1
# 5 4 for loop shape x2 break in 3.1 @forward u0 <add
# 6 5 if else tensor in 3.1,4.0 @forward u5 <gt | 2.0 > 2 F m0
# 7 5 if then tensor in 3.1,4.1 @forward u5 <gt | 6.0 > 2 T m4
# 8 11 if then in 3.1 @forward u0 | 1 == 1 T m0
