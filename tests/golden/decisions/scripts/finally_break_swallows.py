import dyncore as torch  # input: [1.0, 2.0, 3.0]
def forward(x):
    total = 0
    for v in x:
        for k in range(3):
            try:
                if v > 1 and k == 1:
                    raise ValueError
                if k == 2:
                    continue
                total = total + v
            finally:
                if v == 3:
                    break
        else:
            total = total * 2
    return total

# ----
# 0 4 for loop shape x2 raise @forward
# 1 5 for loop x3 exhausted in 4.0 @forward u0
# 2 7 if else tensor in 4.0,5.0 @forward u1 <gt | 1.0 > 1 F m0
# 3 9 if else in 4.0,5.0 @forward u2 | 0 == 2 F m-2
# 4 13 if else tensor in 4.0,5.0 @forward u1 <eq | 1.0 == 3 F m-2
# 5 7 if else tensor in 4.0,5.1 @forward u1 <gt | 1.0 > 1 F m0
# 6 9 if else in 4.0,5.1 @forward u5 | 1 == 2 F m-1
# 7 13 if else tensor in 4.0,5.1 @forward u1 <eq | 1.0 == 3 F m-2
# 8 7 if else tensor in 4.0,5.2 @forward u1 <gt | 1.0 > 1 F m0
# 9 9 if then in 4.0,5.2 @forward u8 | 2 == 2 T m0
# 10 13 if else tensor in 4.0,5.2 @forward u1 <eq | 1.0 == 3 F m-2
# 11 5 for loop x2 raise in 4.1 @forward u0
# 12 7 if else tensor in 4.1,5.0 @forward u11 <gt | 2.0 > 1 T; 0 == 1 F m-1
# 13 9 if else in 4.1,5.0 @forward u12 | 0 == 2 F m-2
# 14 13 if else tensor in 4.1,5.0 @forward u11 <eq | 2.0 == 3 F m-1
# 15 7 if then tensor in 4.1,5.1 @forward u11 <gt | 2.0 > 1 T; 1 == 1 T m0
# 16 13 if else tensor in 4.1,5.1 @forward u11 <eq | 2.0 == 3 F m-1
# 
