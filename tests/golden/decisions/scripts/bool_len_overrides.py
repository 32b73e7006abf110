import dyncore as torch  # input: [1.0, 2.0]
class Bag:
    def __init__(self, items): self.items = items
    def __len__(self):
        return 0 if self.items is None else len(self.items)
class Switch:
    def __init__(self, t): self.t = t
    def __bool__(self):
        return bool(self.t > 1)
def forward(x):
    if Bag(None):
        return x
    if Bag([x]) and not Switch(x[0]):
        x = x * 2
    while Switch(x.sum()):
        x = x - 2
    return x

# ----
# 0 5 ifexp then @forward>Bag.__len__ | null is null T
# 1 11 if else @forward | {"type": "Bag"} F
# 2 5 ifexp else @forward>Bag.__len__ u1 | {"type": "list", "len": 1} is null F
# 3 13 if then scalar~ @forward u1 <gt | {"type": "Bag"} T; {"type": "Switch"} F
# 4 15 while body scalar~ #0 @forward u1 <gt | {"type": "Switch"} T
# 5 15 while body scalar~ #1 @forward u1 <gt | {"type": "Switch"} T
# 6 15 while exit scalar~ #2 @forward u1 <gt | {"type": "Switch"} F
