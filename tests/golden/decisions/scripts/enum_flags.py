import dyncore as torch, enum  # input: [1.0]
class Mode(enum.Enum):
    TRAIN = 1
    TEST = 2
    @classmethod
    def of(cls, x): return cls.TRAIN if x.sum() > 0 else cls.TEST
def forward(x):
    mode = Mode.of(x)
    match mode:
        case Mode.TRAIN: y = x * 2
        case Mode.TEST: y = x
    if mode is Mode.TRAIN and mode.value == 1: y = y + 1
    return y

# ----
# 0 6 ifexp then tensor @forward>Mode.of <gt | 1.0 > 0 T m1
# 1 9 match case Mode.TRAIN scalar~ @forward <gt | {"type": "Mode"} T
# 2 12 if then scalar~ @forward <gt | {"type": "Mode"} is {"type": "Mode"} T; 1 == 1 T m0
