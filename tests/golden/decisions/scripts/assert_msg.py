import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    assert x.shape == (2,), f"shape {x.shape}"
    assert x.dim() == 1 and len(x) > 1
    try:
        assert x.sum() > 100, "small" if x[0] > 0 else "negative"
    except AssertionError as e:
        return x if str(e) == "small" else -x

# ----
# 0 3 assert pass shape @forward | [2] == [2] T
# 1 4 assert pass shape @forward | 1 == 1 T; 2 > 1 T m0
# 2 6 assert fail tensor @forward <gt | 3.0 > 100 F m-97
# 3 6 ifexp then tensor @forward u2 <gt | 1.0 > 0 T m1
# 4 5 try except AssertionError @forward !AssertionError
# 5 8 ifexp then @forward u4 | "small" == "small" T
