import dyncore as torch  # input: 1.0
def act(cmd, x):
    match cmd:
        case {"op": "scale", "k": k, **rest} if not rest:
            return x * k
        case {"op": "scale", **rest}:
            return x * rest.get("default", 1)
        case ["clip", lo, hi] | ["clip", lo, hi, _]:
            return x if lo < x < hi else x * 0
        case ("sum" | "mean") as how:
            return x.sum() if how == "sum" else x.mean()
        case [first, *others] if others:
            return act(first, act(others, x))
        case [only]:
            return act(only, x)
    return x
def forward(x):
    return act([{"op": "scale", "k": 2}, ["clip", 0, 5], "sum"], x)

# ----
# 0 12 guard pass @forward>act | {"type": "list", "len": 2} T
# 1 3 match case [first, *others] @forward>act | {"type": "list", "len": 3} T
# 2 12 guard pass @forward>act>act r1 u1 | {"type": "list", "len": 1} T
# 3 3 match case [first, *others] @forward>act>act r1 u1 | {"type": "list", "len": 2} T
# 4 12 guard fail @forward>act>act>act r2 u3 | {"type": "list", "len": 0} F
# 5 3 match case [only] @forward>act>act>act r2 u3 | {"type": "list", "len": 1} T
# 6 3 match case ("sum" | "mean") as how @forward>act>act>act>act r3 u5 | "sum" T
# 7 11 ifexp then @forward>act>act>act>act r3 u6 | "sum" == "sum" T
# 8 3 match case ["clip", lo, hi] | ["clip", lo, hi, _] @forward>act>act>act r2 u3 | {"type": "list", "len": 3} T
# 9 9 ifexp then tensor @forward>act>act>act r2 u8 <gt | 0 < 1.0 T; 1.0 < 5 T m1
# 10 4 guard pass @forward>act>act r1 u1 | {"type": "dict", "len": 0} F
# 11 3 match case {"op": "scale", "k": k, **rest} @forward>act>act r1 u1 | {"type": "dict", "len": 2} T
