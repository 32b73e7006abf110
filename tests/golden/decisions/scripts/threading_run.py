import dyncore as torch, threading  # input: [1.0]
def work(x, out):
    for k in range(2):
        if x.sum() > k: out.append(k)
def forward(x):
    out = []
    t = threading.Thread(target=work, args=(x, out)); t.start(); t.join()
    return x * len(out) if out else x

# ----
# 0 3 for loop x2 exhausted @work
# 1 4 if then tensor in 3.0 @work u0 <gt | 1.0 > 0 T m1
# 2 4 if else tensor in 3.1 @work u0 <gt | 1.0 > 1 F m0
# 3 8 ifexp then @forward | {"type": "list", "len": 1} T
