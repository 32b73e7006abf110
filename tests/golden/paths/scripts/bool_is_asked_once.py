class Asked:
    def __init__(self, truth):
        self.truth, self.times = truth, 0
    def __bool__(self):
        self.times += 1
        return self.truth

yes, no = Asked(True), Asked(False)
a = yes and no or yes
b = no or yes and no
c = 1 if yes and not no else 2
if not yes or no:
    pass
assert (yes.times, no.times) == (4, 4), (yes.times, no.times)

# ----
# 0 9:and `yes and no` -> rest [yes=Asked T]
# 1 9:or `yes and no or yes` -> rest [yes and no=Asked F]
# 2 10:or `no or yes and no` -> rest [no=Asked F]
# 3 10:and `yes and no` -> rest [yes=Asked T]
# 4 11:ifexp `yes and not no` -> then [yes=Asked T, no=Asked F]
# 5 12:if `not yes or no` -> else [yes=Asked T, no=Asked F]
# 6 14:assert `(yes.times, no.times) == (4, 4)` -> pass [(4, 4) == (4, 4) T]
