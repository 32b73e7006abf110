import dyncore as torch  # input: [1.0, 0.0, 4.0]
from contextlib import contextmanager
@contextmanager
def guarded(limit):
    try:
        yield limit
    except ZeroDivisionError as error:
        if limit < 0:
            raise
    else:
        limit = limit if limit > 1 else 1
def forward(x):
    total = 0
    for v in x:
        with guarded(2) as limit:
            total = total + 8 // int(v)
            if total > limit:
                total = total - 1
    return x * total

# ----
# 0 14 for loop shape x3 exhausted @forward
# 1 17 if then scalar~ in 14.0 @forward u0 <unbind | 8 > 2 T m6
# 2 11 ifexp then in 14.0 @forward>guarded u0 | 2 > 1 T m1
# 3 5 try except ZeroDivisionError in 14.1 @forward>guarded u0 !ZeroDivisionError
# 4 8 if else in 14.1 @forward>guarded u3 | 2 < 0 F m-2
# 5 17 if then scalar~ in 14.2 @forward u0 <unbind | 9 > 2 T m7
# 6 11 ifexp then in 14.2 @forward>guarded u0 | 2 > 1 T m1
