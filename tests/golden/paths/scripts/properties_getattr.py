class Lazy:
    def __init__(self): self.count = 0
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        self.count += 1
        return name if len(name) > 2 else None
    @property
    def ready(self):
        return self.count > 1 and "yes"
    def __getitem__(self, k): return k if k else self
    def __call__(self, *a): return a or self
    def __len__(self): return self.count
    def __hash__(self): return 1 if self.count else 0
    def __eq__(self, other): return other == "lazy" or NotImplemented
l = Lazy()
print("truthy" if l else "empty", l.ab, l.abc, l.ready, "t" if l else "e")
print(l == "lazy", l == 3, l != "lazy", l in ["lazy"], hasattr(l, "_x") or "private", l[0] is l, l()() is l)
if l == "lazy" and l.ready and not l._missing if hasattr(l, "_missing") else l.ready: print("done")

# ----
# 0 16:ifexp `l` -> else [l=Lazy F]
# 1 4:if `name.startswith("_")` -> else [name.startswith("_")=False F] | Lazy.__getattr__
# 2 6:ifexp `len(name) > 2` -> else [2 > 2 F] m0 | Lazy.__getattr__ | under 1
# 3 4:if `name.startswith("_")` -> else [name.startswith("_")=False F] | Lazy.__getattr__
# 4 6:ifexp `len(name) > 2` -> then [3 > 2 T] m1 | Lazy.__getattr__ | under 3
# 5 9:and `self.count > 1 and "yes"` -> rest [2 > 1 T] m1 | Lazy.ready
# 6 16:ifexp `l` -> then [l=Lazy T]
# 7 14:or `other == "lazy" or NotImplemented` -> short ['lazy' == 'lazy' T] | Lazy.__eq__
# 8 14:or `other == "lazy" or NotImplemented` -> rest [3 == 'lazy' F] | Lazy.__eq__
# 9 14:or `other == "lazy" or NotImplemented` -> short ['lazy' == 'lazy' T] | Lazy.__eq__
# 10 14:or `other == "lazy" or NotImplemented` -> short ['lazy' == 'lazy' T] | Lazy.__eq__
# 11 4:if `name.startswith("_")` -> then [name.startswith("_")=True T] | Lazy.__getattr__
# 12 17:or `hasattr(l, "_x") or "private"` -> rest [hasattr(l, "_x")=False F]
# 13 10:ifexp `k` -> else [k=0 F] m0 | Lazy.__getitem__
# 14 11:or `a or self` -> rest [a=() F] | Lazy.__call__
# 15 11:or `a or self` -> rest [a=() F] | Lazy.__call__
# 16 4:if `name.startswith("_")` -> then [name.startswith("_")=True T] | Lazy.__getattr__
# 17 18:ifexp `hasattr(l, "_missing")` -> else [hasattr(l, "_missing")=False F]
# 18 9:and `self.count > 1 and "yes"` -> rest [2 > 1 T] m1 | Lazy.ready | under 17
# 19 18:if `l == "lazy" and l.ready and not l._missing if hasattr(l, "_missing") else l.ready` -> then [l == "lazy" and l.ready and not l._missing if hasattr(l, "_missing") else l.ready='yes' T]
