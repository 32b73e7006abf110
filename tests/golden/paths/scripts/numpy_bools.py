import numpy as np
a = np.array([1.0, -2.0, 3.0])
if a[0] > 0: print("pos")
if (a > 0).any() and not (a > 0).all(): print("mixed")
flag = a.sum() > 1
if flag: print(type(flag).__name__)
if not flag == False: print("ne")
x = np.float32(0.5)
while x < 2: x *= np.float32(2)
print(x, 0 < a[0] < 2, [v for v in a if v > 0], "y" if np.int64(3) else "n", np.bool_(0) or "or")
try:
    if a > 0: print("never")
except ValueError as e: print("ambiguous" if "ambiguous" in str(e) else e)
try:
    while a: pass
except ValueError: print("again")
if np.isnan(np.nan) and np.nan != np.nan: print("nan")
if np.array([5]) > 3: print("one element")

# ----
# 0 3:if `a[0] > 0` -> then [float64 > 0 T]
# 1 4:if `(a > 0).any() and not (a > 0).all()` -> then [(a > 0).any()=bool T, (a > 0).all()=bool F]
# 2 6:if `flag` -> then [flag=bool T]
# 3 7:if `not flag == False` -> then [bool == False F]
# 4 9:while `x < 2` -> body #0 [float32 < 2 T]
# 5 9:while `x < 2` -> body #1 [float32 < 2 T]
# 6 9:while `x < 2` -> exit #2 [float32 < 2 F]
# 7 10:and `0 < a[0] < 2` -> rest [0 < float64 T]
# 8 10:comp `for v in a` -> loop x3 exhausted
# 9 10:compif `v > 0` -> keep [float64 > 0 T] | in 10.0 | under 8
# 10 10:compif `v > 0` -> drop [float64 > 0 F] | in 10.1 | under 8
# 11 10:compif `v > 0` -> keep [float64 > 0 T] | in 10.2 | under 8
# 12 10:ifexp `np.int64(3)` -> then [np.int64(3)=int64 T]
# 13 10:or `np.bool_(0) or "or"` -> rest [np.bool_(0)=bool F]
# 14 12:if `a > 0` -> raise !ValueError [ndarray > 0 F]
# 15 11:try `try` -> except ValueError !ValueError
# 16 13:ifexp `"ambiguous" in str(e)` -> then ['ambiguous' in 'The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()' T] | under 15
# 17 15:while `a` -> raise #0 !ValueError [a=ndarray F]
# 18 14:try `try` -> except ValueError !ValueError
# 19 17:if `np.isnan(np.nan) and np.nan != np.nan` -> then [np.isnan(np.nan)=bool T, nan != nan T] mnan
# 20 18:if `np.array([5]) > 3` -> then [ndarray > 3 T]
