import dyncore as torch  # input: [2.0, 0.0]
def forward(x):
    for v in x.tolist():
        match v, x.shape[0]:
            case (0 | 0.0, n):
                x = x + n
            case (float(a), 2) if a > 1 and (n := int(a)) == 2:
                x = x * n
            case _:
                pass
    return x

# ----
# 0 3 for loop shape x2 exhausted @forward
# 1 7 guard pass scalar in 3.0 @forward u0 | 2.0 > 1 T; 2 == 2 T m0
# 2 4 match case (float(a), 2) scalar in 3.0 @forward u0 | [2.0, 2] T
# 3 4 match case (0 | 0.0, n) scalar in 3.1 @forward u0 | [0.0, 2] T
