import dyncore as torch  # input: [1.0, 2.0, 3.0]
def forward(x):
    if any(v > 1 and v < 3 for v in x):
        x = x + 1
    n = sum(v.item() > 2 for v in x)
    if n == 2 and all(t.ndim == 0 for t in x):
        x = x * 2
    best = max((v for v in x), key=lambda v: v.item())
    k = next(i for i, v in enumerate(x) if v == best)
    return x[k] if k > 1 else x

# ----
# 0 3 comp loop shape x2 break @forward
# 1 3 and short tensor in 3.0 @forward u0 <gt | 1.0 > 1 F m0
# 2 3 and rest tensor in 3.1 @forward u0 <gt | 2.0 > 1 T m1
# 3 3 if then scalar @forward <lt | true T
# 4 5 comp loop shape x3 exhausted @forward <add
# 5 6 comp loop shape x3 exhausted @forward <add
# 6 6 if then scalar~ @forward <unbind | 2 == 2 T; true T m0
# 7 8 comp loop shape x3 exhausted @forward <mul
# 8 9 comp loop shape x3 break @forward <mul
# 9 9 compif drop tensor in 9.0 @forward u8 <eq | 4.0 == 8.0 F m-4
# 10 9 compif drop tensor in 9.1 @forward u8 <eq | 6.0 == 8.0 F m-2
# 11 9 compif keep tensor in 9.2 @forward u8 <eq | 8.0 == 8.0 T m0
# 12 10 ifexp then scalar~ @forward <eq | 2 > 1 T m1
