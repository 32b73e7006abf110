import dyncore as torch  # input: [1.0, 2.0]
def forward(x):
    tests = [lambda v, k=k: v > k for k in (0, 1)]
    total = 0
    for t in tests:
        if all(t(v) for v in x):
            total += 1
    counter = iter(range(5))
    while next(counter) < 3 and total:
        total -= 0.25
    return x * total

# ----
# 0 3 comp loop x2 exhausted @forward
# 1 5 for loop x2 exhausted @forward
# 2 6 comp loop shape x2 exhausted in 5.0 @forward u1
# 3 6 if then scalar in 5.0 @forward u1 <gt | true T
# 4 6 comp loop shape x1 break in 5.1 @forward u1
# 5 6 if else scalar in 5.1 @forward u1 <gt | false F
# 6 9 while body #0 @forward | 0 < 3 T; 1 T m1
# 7 9 while body #1 @forward | 1 < 3 T; 0.75 T m0.75
# 8 9 while body #2 @forward | 2 < 3 T; 0.5 T m0.5
# 9 9 while exit #3 @forward | 3 < 3 F m0
