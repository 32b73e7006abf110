import dyncore as torch  # input: [[1.0, 2.0], [9.0, 4.0]]
class Found(Exception): pass
def scan(x):
    for row in x:
        for v in row:
            if v > 3:
                raise Found(v)
def forward(x):
    try:
        scan(x)
    except Found as f:
        return f.args[0] * 2
    return x.sum()

# ----
# 0 4 for loop shape x2 raise @forward>scan
# 1 5 for loop shape x2 exhausted in 4.0 @forward>scan u0 <unbind
# 2 6 if else tensor in 4.0,5.0 @forward>scan u1 <gt | 1.0 > 3 F m-2
# 3 6 if else tensor in 4.0,5.1 @forward>scan u1 <gt | 2.0 > 3 F m-1
# 4 5 for loop shape x1 raise in 4.1 @forward>scan u0 <unbind
# 5 6 if then tensor in 4.1,5.0 @forward>scan u4 <gt | 9.0 > 3 T m6
# 6 9 try except Found @forward !Found
