import dyncore as torch  # input: [3.0, 1.0]
def best(values, start=None):
    found = start
    for v in values:
        if found is None or v < found:
            found = v
    return found
def forward(x):
    low = min(x[0], x[1])
    if low == 1:
        x = x + 1
    return best(x) if best([]) is None else x

# ----
# 0 10 if then tensor @forward <eq | 1.0 == 1 T m0
# 1 4 for loop x0 exhausted @forward>best
# 2 12 ifexp then @forward | null is null T
# 3 4 for loop shape x2 exhausted @forward>best u2 <add
# 4 5 if then in 4.0 @forward>best u3 | null is null T
# 5 5 if then tensor in 4.1 @forward>best u3 <lt | 4.0 is null F; 2.0 < 4.0 T m2
