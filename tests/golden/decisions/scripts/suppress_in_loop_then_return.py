import dyncore as torch  # input: [1.0, 0.0, 2.0]
from contextlib import suppress, contextmanager
@contextmanager
def doubled(box):
    box.append(2)
    try:
        yield box
    finally:
        if len(box) > 1:
            box.pop()
def forward(x):
    done = 0
    with suppress(ZeroDivisionError):
        for v in x:
            if v == 0:
                1 / int(v)
            done += 1
    with doubled([1]) as box:
        for k in box:
            if k > 1:
                return x * done
    return x

# ----
# 0 14 for loop shape x2 raise @forward
# 1 15 if else tensor in 14.0 @forward u0 <eq | 1.0 == 0 F m-1
# 2 15 if then tensor in 14.1 @forward u0 <eq | 0.0 == 0 T m0
# 3 19 for loop x2 return @forward
# 4 20 if else in 19.0 @forward u3 | 1 > 1 F m0
# 5 20 if then in 19.1 @forward u3 | 2 > 1 T m1
# 6 9 if then @forward>doubled | 2 > 1 T m1
