import dyncore as torch  # input: 1.0
class Watch:
    log = []
    def __init__(self, n): self.n = n
    def __del__(self):
        if self.n > 1:
            Watch.log.append(self.n)
def forward(x):
    n = 2
    w = Watch(n)
    while n:
        n -= 1
        if n == 0:
            del w
    else:
        x = x + len(Watch.log)
    return x

# ----
# 0 11 while body #0 @forward | 2 T m2
# 1 13 if else in 11.0 @forward u0 | 1 == 0 F m-1
# 2 11 while body #1 @forward | 1 T m1
# 3 13 if then in 11.1 @forward u2 | 0 == 0 T m0
# 4 6 if then in 11.1 @forward>Watch.__del__ u3 | 2 > 1 T m1
# 5 11 while exit #2 @forward | 0 F m0
