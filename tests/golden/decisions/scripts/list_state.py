import dyncore as torch  # input: [1.0, 2.0, 3.0]
def forward(x):
    stack = [x]
    out = 0
    while stack:
        t = stack.pop()
        if t.numel() == 1:
            out = out + t.sum()
            continue
        half = len(t) // 2
        stack += [t[:half], t[half:]]
    return out

# ----
# 0 5 while body #0 @forward | {"type": "list", "len": 1} T
# 1 7 if else shape in 5.0 @forward u0 | 3 == 1 F m-2
# 2 5 while body #1 @forward | {"type": "list", "len": 2} T
# 3 7 if else shape in 5.1 @forward u2 <getitem | 2 == 1 F m-1
# 4 5 while body #2 @forward | {"type": "list", "len": 3} T
# 5 7 if then shape in 5.2 @forward u4 <getitem | 1 == 1 T m0
# 6 5 while body #3 @forward | {"type": "list", "len": 2} T
# 7 7 if then shape in 5.3 @forward u6 <getitem | 1 == 1 T m0
# 8 5 while body #4 @forward | {"type": "list", "len": 1} T
# 9 7 if then shape in 5.4 @forward u8 <getitem | 1 == 1 T m0
# 10 5 while exit #5 @forward | {"type": "list", "len": 0} F
