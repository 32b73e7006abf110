import dyncore as torch, functools  # input: [1.0, 2.0]
def log(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)
    return wrapper
@log
def forward(x, k=2):
    return x * k if x.sum() > 0 else x

# ----
# 0 9 ifexp then tensor @log.<locals>.wrapper>forward <gt | 3.0 > 0 T m3
