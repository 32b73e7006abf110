import dyncore as torch  # input: 2.0
def forward(x):
    parts = {"a": x, "b": -x, "c": x * 3}
    kept = []
    for name, value in parts.items():
        if name == "c":
            continue
        if value.item() < 0:
            kept.append(value.abs())
        else:
            kept.append(value)
    return sum(kept)

# ----
# 0 5 for loop x3 exhausted @forward
# 1 6 if else in 5.0 @forward u0 | "a" == "c" F
# 2 8 if else scalar in 5.0 @forward u1 | 2.0 < 0 F m-2
# 3 6 if else in 5.1 @forward u0 | "b" == "c" F
# 4 8 if then scalar in 5.1 @forward u3 <neg | -2.0 < 0 T m2
# 5 6 if then in 5.2 @forward u0 | "c" == "c" T
