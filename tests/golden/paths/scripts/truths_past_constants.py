class Asked:
    def __init__(self, truth):
        self.truth, self.times = truth, 0
    def __bool__(self):
        self.times += 1
        return self.truth

yes, no = Asked(True), Asked(False)
a = (0 or no and yes) and yes
b = (1 and yes and no) or no
c = None or (0 or yes or no) and yes
print(a is no, b is no, c is yes)
d = no or (yes and no if a is no else yes)
if (yes or no) if c else not (no or yes): e = not (yes and no)
print(yes.times, no.times, d is no, e)

# ----
# 0 9:and `no and yes` -> short [no=Asked F]
# 1 9:and `(0 or no and yes) and yes` -> short [0 or no and yes=Asked F]
# 2 10:and `1 and yes and no` -> rest [1=1 T, yes=Asked T] m1
# 3 10:or `(1 and yes and no) or no` -> rest [1 and yes and no=Asked F]
# 4 11:or `0 or yes or no` -> short [0=0 F, yes=Asked T]
# 5 11:and `(0 or yes or no) and yes` -> rest [0 or yes or no=Asked T]
# 6 13:or `no or (yes and no if a is no else yes)` -> rest [no=Asked F]
# 7 13:ifexp `a is no` -> then [Asked is Asked T] | under 6
# 8 13:and `yes and no` -> rest [yes=Asked T] | under 6
# 9 14:ifexp `c` -> then [c=Asked T]
# 10 14:or `yes or no` -> short [yes=Asked T] | under 9
# 11 14:if `(yes or no) if c else not (no or yes)` -> then [(yes or no) if c else not (no or yes)=Asked T]
# 12 14:and `yes and no` -> rest [yes=Asked T] | under 11
