import dyncore as torch  # input: [1.0, -1.0, 2.0]
def forward(x):
    state = {"hits": 0, "last": None}
    for k in range(len(x)):
        v = x[k].item()
        if v > 0:
            state["hits"] += 1
            state["last"] = v
        elif state["last"] is None or state["hits"] == 0:
            return x
    mask = (x > 0).tolist()
    if mask.count(True) == state["hits"] and mask[1] is False:
        x = x[mask.index(True):]
    while len(x) > 2 or x.shape[-1] % 2:
        x = x[1:]
    return x * state["hits"]

# ----
# 0 4 for loop shape x3 exhausted @forward
# 1 6 if then scalar in 4.0 @forward u0 <getitem | 1.0 > 0 T m1
# 2 6 if else scalar in 4.1 @forward u0 <getitem | -1.0 > 0 F m-1
# 3 9 elif else scalar~ in 4.1 @forward u2 <getitem | 1.0 is null F; 1 == 0 F m-1
# 4 6 if then scalar in 4.2 @forward u0 <getitem | 2.0 > 0 T m2
# 5 12 if then scalar~ @forward <gt | 2 == 2 T; false is false T m0
# 6 14 while body shape #0 @forward <getitem | 3 > 2 T m1
# 7 14 while exit shape #1 @forward <getitem | 2 > 2 F; 0 F m0
