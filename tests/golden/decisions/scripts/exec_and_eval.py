import dyncore as torch  # input: [1.0, -2.0]
exec("def gate(v):\n    if v > 0:\n        return v\n    return -v")
def forward(x):
    total = 0
    for k in range(2):
        total = total + eval("gate(x[k]) if k < 5 else 0")
    exec("for i in range(2):\n    if total > i: break\nelse: pass")
    return total if eval("total > 2 and total") > 1 else -total

# ----
# 0 5 for loop x2 exhausted @forward
# 1 <string 2>:1 ifexp then in 5.0 @forward u0 | 0 < 5 T m5
# 2 <string>:2 if then tensor in 5.0 @forward>gate u1 <gt | 1.0 > 0 T m1
# 3 <string 2>:1 ifexp then in 5.1 @forward u0 | 1 < 5 T m4
# 4 <string>:2 if else tensor in 5.1 @forward>gate u3 <gt | -2.0 > 0 F m-2
# 5 <string 3>:1 for loop x1 break @forward
# 6 <string 3>:2 if then tensor in 1.0 @forward u5 <gt | 3.0 > 0 T m3
# 7 <string 4>:1 and rest tensor @forward <gt | 3.0 > 2 T m1
# 8 8 ifexp then tensor @forward <gt | 3.0 > 1 T m2
