from dataclasses import dataclass, field
@dataclass(order=True)
class Node:
    value: int
    kids: list = field(default_factory=lambda: [] if True else None)
    def __post_init__(self):
        if self.value < 0:
            self.value = 0
    def depth(self):
        return 1 + max((k.depth() for k in self.kids if k), default=0) if self.kids else 1
class Named(Node):
    def __init__(self, value, name=None):
        super().__init__(value)
        self.name = name or "anon"
    @property
    def loud(self):
        return self.name.upper() if self.name != "anon" else ""
    @classmethod
    def make(cls, *vs):
        return [cls(v) for v in vs if v > 0]
    @staticmethod
    def check(v): return v and not v % 2
def counter(start=0):
    n = start
    def step(by=1):
        nonlocal n
        n += by
        if n > 2:
            n = 0
        return n
    return step
tree = Node(1, [Node(-2), Named(3, "x"), None and Node(9)])
tree.kids = [k for k in tree.kids if k is not None]
print(tree.depth(), [k.value for k in tree.kids], Named(1).loud, Named(2, "b").loud, len(Named.make(-1, 1, 2)), Named.check(4), Node(1) < Node(2))
s = counter(); t = counter(2)
print(s(), t(), s(), s(), t(0))

# ----
# 0 7:if `self.value < 0` -> then [-2 < 0 T] m2 | Node.__post_init__
# 1 7:if `self.value < 0` -> else [3 < 0 F] m-3 | Named.__init__ Node.__post_init__
# 2 14:or `name or "anon"` -> short [name='x' T] | Named.__init__
# 3 7:if `self.value < 0` -> else [1 < 0 F] m-1 | Node.__post_init__
# 4 33:comp `for k in tree.kids` -> loop x3 exhausted
# 5 33:compif `k is not None` -> keep [Node is not None T] | in 33.0 | under 4
# 6 33:compif `k is not None` -> keep [Named is not None T] | in 33.1 | under 4
# 7 33:compif `k is not None` -> drop [None is not None F] | in 33.2 | under 4
# 8 10:ifexp `self.kids` -> then [self.kids=list of 2 T] | Node.depth
# 9 10:comp `for k in self.kids` -> loop x2 exhausted | Node.depth | under 8
# 10 10:compif `k` -> keep [k=Node T] | in 10.0 | Node.depth | under 9
# 11 10:ifexp `self.kids` -> else [self.kids=list of 0 F] | in 10.0 | Node.depth Node.depth r1 | under 10
# 12 10:compif `k` -> keep [k=Named T] | in 10.1 | Node.depth | under 9
# 13 10:ifexp `self.kids` -> else [self.kids=list of 0 F] | in 10.1 | Node.depth Node.depth r1 | under 12
# 14 34:comp `for k in tree.kids` -> loop x2 exhausted
# 15 7:if `self.value < 0` -> else [1 < 0 F] m-1 | Named.__init__ Node.__post_init__
# 16 14:or `name or "anon"` -> rest [name=None F] | Named.__init__
# 17 17:ifexp `self.name != "anon"` -> else ['anon' != 'anon' F] | Named.loud
# 18 7:if `self.value < 0` -> else [2 < 0 F] m-2 | Named.__init__ Node.__post_init__
# 19 14:or `name or "anon"` -> short [name='b' T] | Named.__init__
# 20 17:ifexp `self.name != "anon"` -> then ['b' != 'anon' T] | Named.loud
# 21 20:comp `for v in vs` -> loop x3 exhausted | Named.make
# 22 20:compif `v > 0` -> drop [-1 > 0 F] m-1 | in 20.0 | Named.make | under 21
# 23 20:compif `v > 0` -> keep [1 > 0 T] m1 | in 20.1 | Named.make | under 21
# 24 7:if `self.value < 0` -> else [1 < 0 F] m-1 | in 20.1 | Named.make Named.__init__ Node.__post_init__ | under 23
# 25 14:or `name or "anon"` -> rest [name=None F] | in 20.1 | Named.make Named.__init__ | under 23
# 26 20:compif `v > 0` -> keep [2 > 0 T] m2 | in 20.2 | Named.make | under 21
# 27 7:if `self.value < 0` -> else [2 < 0 F] m-2 | in 20.2 | Named.make Named.__init__ Node.__post_init__ | under 26
# 28 14:or `name or "anon"` -> rest [name=None F] | in 20.2 | Named.make Named.__init__ | under 26
# 29 22:and `v and not v % 2` -> rest [v=4 T] m4 | Named.check
# 30 7:if `self.value < 0` -> else [1 < 0 F] m-1 | Node.__post_init__
# 31 7:if `self.value < 0` -> else [2 < 0 F] m-2 | Node.__post_init__
# 32 28:if `n > 2` -> else [1 > 2 F] m-1 | counter.<locals>.step
# 33 28:if `n > 2` -> then [3 > 2 T] m1 | counter.<locals>.step
# 34 28:if `n > 2` -> else [2 > 2 F] m0 | counter.<locals>.step
# 35 28:if `n > 2` -> then [3 > 2 T] m1 | counter.<locals>.step
# 36 28:if `n > 2` -> else [0 > 2 F] m-2 | counter.<locals>.step
