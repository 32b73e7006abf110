import dyncore as torch  # input: [1.0, 0.0]
def forward(x):
    a, b = x
    first = a and b or "none"
    second = not (a and b)
    third = a > 0 and (b > 0 or a > 5 or "x")
    if first == "none" and second and third:
        x = x + (b or a or 1)
    chain = 0 < a <= 1 < 2
    return x if chain else -x

# ----
# 0 4 and rest tensor @forward <unbind | 1.0 T m1
# 1 4 or rest tensor @forward <unbind | 0.0 F m0
# 2 5 and rest tensor @forward <unbind | 1.0 T m1
# 3 6 and rest tensor @forward <gt | 1.0 > 0 T m1
# 4 6 or rest tensor @forward u3 <gt | 0.0 > 0 F; 1.0 > 5 F m0
# 5 7 if then scalar~ @forward <unbind | "none" == "none" T; true T; "x" T
# 6 8 or short tensor @forward u5 <unbind | 0.0 F; 1.0 T m1
# 7 9 and rest tensor @forward <gt | 0 < 1.0 T; 1.0 <= 1 T m0
# 8 10 ifexp then scalar~ @forward <le | true T
