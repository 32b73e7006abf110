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
assert (yes.times + no.times) in (4, 5, 6, 7), (yes.times, no.times)

# ----
# 0 9:and `no and yes` -> short [no=Asked F]
# 1 9:and `(0 or no and yes) and yes` -> short [0 or no and yes=Asked F]
# 2 10:and `1 and yes and no` -> rest [1=1 T, yes=Asked T] m1
# 3 10:or `(1 and yes and no) or no` -> rest [1 and yes and no=Asked F]
# 4 11:or `0 or yes or no` -> short [0=0 F, yes=Asked T]
# 5 11:and `(0 or yes or no) and yes` -> rest [0 or yes or no=Asked T]
# 6 13:assert `(yes.times + no.times) in (4, 5, 6, 7)` -> pass [4 in (4, 5, 6, 7) T]
