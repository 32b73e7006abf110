import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    fs = [lambda v, k=k: v * k if v > k else v - k for k in range(2)]
    for f in fs:
        x = torch.stack([f(v) for v in x])
    return x

# ----
# 0 3 comp loop x2 exhausted @forward
# 1 4 for loop x2 exhausted @forward
# 2 5 comp loop shape x2 exhausted in 4.0 @forward u1
# 3 3 ifexp then tensor in 4.0,5.0 @forward>forward.<locals>.<lambda> u2 <gt | 1.0 > 0 T m1
# 4 3 ifexp then tensor in 4.0,5.1 @forward>forward.<locals>.<lambda> u2 <gt | 2.0 > 0 T m2
# 5 5 comp loop shape x2 exhausted in 4.1 @forward u1 <stack
# 6 3 ifexp else tensor in 4.1,5.0 @forward>forward.<locals>.<lambda> u5 <gt | 0.0 > 1 F m-1
# 7 3 ifexp else tensor in 4.1,5.1 @forward>forward.<locals>.<lambda> u5 <gt | 0.0 > 1 F m-1
