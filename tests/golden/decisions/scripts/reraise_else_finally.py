import dyncore as torch  # input: [1.0, 2.0]
def risky(x):
    if x.item() > 1:
        raise ValueError("big")
    return x
def forward(x):
    out = 0
    for v in x:
        try:
            y = risky(v)
        except (TypeError, ValueError) as e:
            if "big" in str(e):
                out = out + 1
        else:
            out = out + (y if y > 0 else 0)
        finally:
            out = out * 1
    return x * out

# ----
# 0 8 for loop shape x2 exhausted @forward
# 1 3 if else scalar in 8.0 @forward>risky u0 <unbind | 1.0 > 1 F m0
# 2 15 ifexp then tensor in 8.0 @forward u0 <gt | 1.0 > 0 T m1
# 3 3 if then scalar in 8.1 @forward>risky u0 <unbind | 2.0 > 1 T m1
# 4 9 try except (TypeError, ValueError) in 8.1 @forward u0 !ValueError
# 5 12 if then in 8.1 @forward u4 | "big" in "big" T
