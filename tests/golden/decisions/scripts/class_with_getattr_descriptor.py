import dyncore as torch  # input: 2.0
class Positive:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, thing, owner=None):
        return self if thing is None else getattr(thing, self.name)
    def __set__(self, thing, value):
        if not value > 0:
            raise ValueError(self.name)
        thing.__dict__[self.name] = value
class Config:
    rate = Positive()
    def __getattr__(self, name):
        return 7 if name.startswith("k") else None
def forward(x):
    c = Config()
    c.rate = x
    if c.kind == 7 and c.other is None and c.rate > 1:
        x = x * c.rate
    try:
        c.rate = -x
    except ValueError:
        pass
    return x

# ----
# 0 7 if else tensor @forward>Positive.__set__ <gt | 2.0 > 0 T m-2
# 1 13 ifexp then @forward>Config.__getattr__ | true T
# 2 13 ifexp else @forward>Config.__getattr__ | false F
# 3 5 ifexp else @forward>Positive.__get__ | {"type": "Config"} is null F
# 4 17 if then tensor @forward <gt | 7 == 7 T; null is null T; 2.0 > 1 T m0
# 5 5 ifexp else @forward>Positive.__get__ u4 | {"type": "Config"} is null F
# 6 7 if then tensor @forward>Positive.__set__ <gt | -4.0 > 0 F m4
# 7 19 try except ValueError @forward !ValueError
