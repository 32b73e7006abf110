import dyncore as torch, math  # input: 1.0
def forward(x):
    y = x / 0 * 0
    if y > 0: return x
    if y.item() != y.item(): x = x + 1
    if not y == y: x = x * 2
    if math.isnan(y): x = x * 3
    return x if math.inf > x else y

# ----
# 0 4 if else tensor @forward <gt | "NaN" > 0 F mnan
# 1 5 if then scalar @forward u0 <mul | "NaN" != "NaN" T mnan
# 2 6 if then tensor @forward u0 <eq | "NaN" == "NaN" F mnan
# 3 7 if then scalar~ @forward u0 <mul | true T
# 4 8 ifexp then tensor @forward u0 <lt | "Infinity" > 12.0 T minf
