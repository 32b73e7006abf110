import dyncore as torch  # input: [1.0, 2.0, 3.0]
class Feed:
    def __init__(self, x):
        self.rows = (r * 2 for r in x if r > 1)
        self.more = self.pull()
    def pull(self):
        for r in self.rows:
            if r > 5:
                return r
            yield r
    def __iter__(self): return self
    def __next__(self): return next(self.more)
def forward(x):
    total = 0
    for r in Feed(x):
        total = total + r
    return total if total < 5 else -total

# ----
# 0 4 comp loop shape x3 break @forward>Feed.__init__
# 1 15 for loop x1 exhausted @forward
# 2 7 for loop scalar~ x2 return @forward>Feed.__next__>Feed.pull <gt
# 3 4 compif drop tensor in 4.0 @forward>Feed.__next__>Feed.pull u0 <gt | 1.0 > 1 F m0
# 4 4 compif keep tensor in 4.1 @forward>Feed.__next__>Feed.pull u0 <gt | 2.0 > 1 T m1
# 5 8 if else tensor in 7.0 @forward>Feed.__next__>Feed.pull u2 <gt | 4.0 > 5 F m-1
# 6 4 compif keep tensor in 4.2 @forward>Feed.__next__>Feed.pull u0 <gt | 3.0 > 1 T m2
# 7 8 if then tensor in 15.0,7.1 @forward>Feed.__next__>Feed.pull u2 <gt | 6.0 > 5 T m1
# 8 17 ifexp then tensor @forward <lt | 4.0 < 5 T m1
