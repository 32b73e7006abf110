import dyncore as torch  # input: [1.0]
def make(k):
    state = {"n": 0}
    def step(x):
        nonlocal k
        k -= 1
        state["n"] += 1
        return step(x * 2) if k > 0 and x.sum() < 100 else x
    return step
def forward(x):
    return make(2)(x) + make(1)(x)

# ----
# 0 8 ifexp then tensor @forward>make.<locals>.step <lt | 1 > 0 T; 1.0 < 100 T m1
# 1 8 ifexp else @forward>make.<locals>.step>make.<locals>.step r1 u0 | 0 > 0 F m0
# 2 8 ifexp else @forward>make.<locals>.step | 0 > 0 F m0
