import dyncore as torch, sys  # input: 1.0
try:
    import not_there_at_all
except ImportError:
    not_there_at_all = None
if sys.version_info >= (3, 8):
    LIMIT = 2
def forward(x):
    import math as m
    if not_there_at_all is not None:
        return x
    with torch.no_grad():
        y = x * LIMIT
    return x * 2 if y.requires_grad or m.pi < y else x

# ----
# 0 2 try except ImportError !ModuleNotFoundError load
# 1 6 if then load | {"type": "version_info"} >= [3, 8] T
# 0 10 if else @forward | null is not null F
# 1 14 ifexp else tensor @forward u0 <gt | false F; 3.141592653589793 < 2.0 F m-1.142
