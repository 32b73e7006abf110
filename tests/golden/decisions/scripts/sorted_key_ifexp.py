import dyncore as torch  # input: [3.0, -1.0]
def forward(x):
    order = sorted(range(2), key=lambda k: 0 if x[k] < 0 else 1)
    return x[order[0]] if order == [1, 0] else x[0]

# ----
# 0 3 ifexp else tensor @forward>forward.<locals>.<lambda> <lt | 3.0 < 0 F m-3
# 1 3 ifexp then tensor @forward>forward.<locals>.<lambda> <lt | -1.0 < 0 T m1
# 2 4 ifexp then scalar~ @forward <lt | {"type": "list", "len": 2} == {"type": "list", "len": 2} T
