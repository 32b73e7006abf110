def make(values):
    class Holder:
        names = [v for v in values if v]
        pairs = {n: (m for m in values if m != n) for n in names}
        if names:
            first = names[0]
        else:
            first = None
        for value in values:
            last = value
        get = lambda self: self.first if self.first else self.last
    return Holder

holder = make([0, 2])
list(holder.pairs[2])
holder().get()

# ----
# 0 3:comp `for v in values` -> loop x2 exhausted | make
# 1 3:compif `v` -> drop [v=0 F] m0 | in 3.0 | make | under 0
# 2 3:compif `v` -> keep [v=2 T] m2 | in 3.1 | make | under 0
# 3 4:comp `for n in names` -> loop x1 exhausted | make
# 4 4:comp `for m in values` -> loop x2 exhausted | in 4.0 | make | under 3
# 5 5:if `names` -> then [names=list of 1 T] | make
# 6 9:for `for value in values` -> loop x2 exhausted | make
# 7 4:compif `m != n` -> keep [0 != 2 T] m2 | in 4.0 4.0 | under 4
# 8 4:compif `m != n` -> drop [2 != 2 F] m0 | in 4.0 4.1 | under 4
# 9 11:ifexp `self.first` -> then [self.first=2 T] m2 | make.<locals>.Holder.<lambda>
