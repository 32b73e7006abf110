import dyncore as torch  # input: [1.0, 3.0]
def find(x, t):
    for i, v in enumerate(x.tolist()):
        if v == t:
            return i
    return None
def forward(x):
    k = find(x, 3.0)
    if k is not None and k > 0:
        return x[k]
    return x

# ----
# 0 3 for loop shape x2 return @forward>find
# 1 4 if else scalar in 3.0 @forward>find u0 | 1.0 == 3.0 F m-2
# 2 4 if then scalar in 3.1 @forward>find u0 | 3.0 == 3.0 T m0
# 3 9 if then @forward | 1 is not null T; 1 > 0 T m1
