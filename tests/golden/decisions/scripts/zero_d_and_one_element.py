import dyncore as torch  # input: [2.0]
def forward(x):
    z = x.sum()
    if x:
        z = z + 1
    if z > x:
        z = z + 1
    if x - 2:
        return -z
    while z:
        z = z - 1
    assert not z, "zero"
    return x * (z or 3)

# ----
# 0 4 if then tensor @forward | 2.0 T m2
# 1 6 if then tensor @forward <gt | 3.0 > 2.0 T m1
# 2 8 if else tensor @forward <sub | 0.0 F m0
# 3 10 while body tensor #0 @forward u2 <add | 4.0 T m4
# 4 10 while body tensor #1 @forward u2 <sub | 3.0 T m3
# 5 10 while body tensor #2 @forward u2 <sub | 2.0 T m2
# 6 10 while body tensor #3 @forward u2 <sub | 1.0 T m1
# 7 10 while exit tensor #4 @forward u2 <sub | 0.0 F m0
# 8 12 assert pass tensor @forward u2 <sub | 0.0 F m0
# 9 13 or rest tensor @forward u2 <sub | 0.0 F m0
