import dyncore as torch, threading  # input: [1.0, -1.0]
def work(v, out, before):
    if before is not None:
        before.join()
    for k in range(2):
        out.append(k if v > 0 else -k)
def forward(x):
    out = []
    a = threading.Thread(target=work, args=(x[0], out, None))
    b = threading.Thread(target=work, args=(x[1], out, a))
    a.start(); a.join(); b.start(); b.join()
    if sum(out) == 0 and len(out) == 4:
        return x * 2
    return x

# ----
# 0 3 if else @work | null is not null F
# 1 5 for loop x2 exhausted @work
# 2 6 ifexp then tensor in 5.0 @work u1 <gt | 1.0 > 0 T m1
# 3 6 ifexp then tensor in 5.1 @work u1 <gt | 1.0 > 0 T m1
# 4 3 if then @work | {"type": "Thread"} is not null T
# 5 5 for loop x2 exhausted @work
# 6 6 ifexp else tensor in 5.0 @work u5 <gt | -1.0 > 0 F m-1
# 7 6 ifexp else tensor in 5.1 @work u5 <gt | -1.0 > 0 F m-1
# 8 12 if then @forward | 0 == 0 T; 4 == 4 T m0
