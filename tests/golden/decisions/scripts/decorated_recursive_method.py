import dyncore as torch, functools  # input: 3.0
def counted(f):
    calls = []
    @functools.wraps(f)
    def wrapper(self, *args):
        calls.append(1)
        if len(calls) > 3:
            raise RuntimeError("too many")
        return f(self, *args)
    return wrapper
class Shrinker:
    @counted
    def shrink(self, x):
        if x < 1:
            return x
        return self.shrink(x / 2)
def forward(x):
    return Shrinker().shrink(x)

# ----
# 0 7 if else @forward>counted.<locals>.wrapper | 1 > 3 F m-2
# 1 14 if else tensor @forward>counted.<locals>.wrapper>Shrinker.shrink u0 <lt | 3.0 < 1 F m-2
# 2 7 if else @forward>counted.<locals>.wrapper>Shrinker.shrink>counted.<locals>.wrapper r1 u1 | 2 > 3 F m-1
# 3 14 if else tensor @forward>counted.<locals>.wrapper>Shrinker.shrink>counted.<locals>.wrapper>Shrinker.shrink r1 u2 <lt | 1.5 < 1 F m-0.5
# 4 7 if else @forward>counted.<locals>.wrapper>Shrinker.shrink>counted.<locals>.wrapper>Shrinker.shrink>counted.<locals>.wrapper r2 u3 | 3 > 3 F m0
# 5 14 if then tensor @forward>counted.<locals>.wrapper>Shrinker.shrink>counted.<locals>.wrapper>Shrinker.shrink>counted.<locals>.wrapper>Shrinker.shrink r2 u4 <lt | 0.75 < 1 T m0.25
