import dyncore as torch, enum  # input: [1.0, -2.0]
class Mode(enum.Enum):
    FAST = "fast"
    SLOW = "slow"
    @property
    def factor(self):
        return 2 if self is Mode.FAST else 1
def relu(x): return x.clamp(min=0)
def forward(x, mode=Mode.FAST):
    act = {Mode.FAST: relu, Mode.SLOW: torch.tanh}.get(mode)
    match mode:
        case Mode.SLOW:
            return x
        case Mode.FAST | "fast" if mode in (Mode.FAST,):
            x = act(x)
    return x * mode.factor if mode is not Mode.SLOW and mode.value == "fast" else x

# ----
# 0 14 guard pass @forward | {"type": "Mode"} in {"type": "tuple", "len": 1} T
# 1 11 match case Mode.FAST | "fast" @forward | {"type": "Mode"} T
# 2 16 ifexp then @forward u1 | {"type": "Mode"} is not {"type": "Mode"} T; "fast" == "fast" T
# 3 7 ifexp then @forward>Mode.factor u2 | {"type": "Mode"} is {"type": "Mode"} T
