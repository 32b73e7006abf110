import dyncore as torch  # input: [4.0]
def steps(x):
    while x.sum() > 1:
        x = x / 2
        yield x
def drive(g, n):
    for _ in range(n):
        v = next(g, None)
        if v is None:
            return "end"
    return "more"
def forward(x):
    g = steps(x)
    a = drive(g, 1)
    b = drive(g, 5)
    return x if a == "more" and b == "end" else x * 0

# ----
# 0 7 for loop x1 exhausted @forward>drive
# 1 3 while body tensor #0 in 7.0 @forward>drive>steps u0 <gt | 4.0 > 1 T m3
# 2 9 if else in 7.0 @forward>drive u0 | 2.0 is null F
# 3 7 for loop x2 return @forward>drive
# 4 3 while body tensor #1 in 7.0 @forward>drive>steps u3 <gt | 2.0 > 1 T m1
# 5 9 if else in 7.0 @forward>drive u3 | 1.0 is null F
# 6 3 while exit tensor #2 in 7.1 @forward>drive>steps u3 <gt | 1.0 > 1 F m0
# 7 9 if then in 7.1 @forward>drive u3 | null is null T
# 8 16 ifexp then @forward | "more" == "more" T; "end" == "end" T
