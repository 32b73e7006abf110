import dyncore as torch  # input: 4.0
def grade(v):
    if v > 9:
        return "a"
    elif v > 6:
        return "b"
    elif v > 3:
        pass
    else:
        return "d"
    match v.item():
        case 1.0:
            return "one"
        case int():
            return "int"
    return "c"
def forward(x):
    return -x if grade(x) == "c" else x

# ----
# 0 3 if else tensor @forward>grade <gt | 4.0 > 9 F m-5
# 1 5 elif else tensor @forward>grade u0 <gt | 4.0 > 6 F m-2
# 2 7 elif then tensor @forward>grade u1 <gt | 4.0 > 3 T m1
# 3 11 match no match scalar @forward>grade u2 | 4.0 F
# 4 18 ifexp then scalar~ @forward <gt | "c" == "c" T
