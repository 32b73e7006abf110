import dyncore as torch  # input: [1.0, 3.0]
READY = False
def forward(x):
    global READY
    seen = 0
    def note(v):
        nonlocal seen
        seen += 1 if v > 2 else 0
        return seen
    if not READY:
        READY = x.sum().item() > 3
    while READY and note(x[1]) < 2:
        pass
    return x * seen if READY is True else x

# ----
# 0 10 if then @forward | false F
# 1 8 ifexp then tensor @forward>forward.<locals>.note <gt | 3.0 > 2 T m1
# 2 12 while body scalar~ #0 @forward <sum | true T; 1 < 2 T m1
# 3 8 ifexp then tensor in 12.0 @forward>forward.<locals>.note u2 <gt | 3.0 > 2 T m1
# 4 12 while exit scalar~ #1 @forward <sum | true T; 2 < 2 F m0
# 5 14 ifexp then @forward | true is true T
