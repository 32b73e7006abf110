import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    total = 0
    for i, (a, b) in enumerate(zip(x, reversed([10, 20]))):
        if a * b > 20 and i:
            total += 1
        elif a * b == 20:
            total += 2
    return x * total

# ----
# 0 4 for loop shape x2 exhausted @forward
# 1 5 if else tensor in 4.0 @forward u0 <gt | 20.0 > 20 F m0
# 2 7 elif then tensor in 4.0 @forward u1 <eq | 20.0 == 20 T m0
# 3 5 if else tensor in 4.1 @forward u0 <gt | 20.0 > 20 F m0
# 4 7 elif then tensor in 4.1 @forward u3 <eq | 20.0 == 20 T m0
