import dyncore as torch  # input: [1.0, 2.0, 3.0]
def forward(x):
    if any(v > 1 for v in x):
        x = x * 2
    if all(v.item() > 0 for v in x) and not any(x < 0):
        x = x + 1
    n = sum(1 for v in x if v > 4)
    if n >= 1:
        return x[:n]
    return x

# ----
# 0 3 comp loop shape x2 break @forward
# 1 3 if then scalar @forward <gt | true T
# 2 5 comp loop shape x3 exhausted @forward <mul
# 3 5 if then scalar @forward <unbind | true T; false F
# 4 7 comp loop shape x3 exhausted @forward <add
# 5 7 compif drop tensor in 7.0 @forward u4 <gt | 3.0 > 4 F m-1
# 6 7 compif keep tensor in 7.1 @forward u4 <gt | 5.0 > 4 T m1
# 7 7 compif keep tensor in 7.2 @forward u4 <gt | 7.0 > 4 T m3
# 8 8 if then scalar~ @forward <gt | 2 >= 1 T m1
