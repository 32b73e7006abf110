import dyncore as torch  # input: [1.0, -1.0]
def why(x):
    return "low" if x.min() < 0 else "high"
def forward(x):
    assert x.numel() == 2 and x.dim() == 1, why(x)
    try:
        assert x.sum() > 0, why(x)
    except AssertionError as error:
        if str(error) == "low":
            return x * 2
    return x

# ----
# 0 5 assert pass shape @forward | 2 == 2 T; 1 == 1 T m0
# 1 7 assert fail tensor @forward <gt | 0.0 > 0 F m0
# 2 3 ifexp then tensor @forward>why u1 <lt | -1.0 < 0 T m1
# 3 6 try except AssertionError @forward !AssertionError
# 4 9 if then @forward u3 | "low" == "low" T
