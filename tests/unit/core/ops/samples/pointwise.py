"""Samples for functions of one tensor."""


def _everywhere(x):
    return [(x(2, 3),), (x(),), (x.complex(3),)]


def _positive(x):
    return [(x(2, 3, low=0.2),), (x(low=0.2),), (x.complex(3),)]


def _inside(x):
    return [(x(2, 3, low=-0.9, high=0.9),), (x(low=-0.9, high=0.9),)]


def _real(x):
    return [(x(2, 3),), (x(),)]


SAMPLES = {
    "exp": _everywhere,
    "exp2": _everywhere,
    "expm1": _everywhere,
    "log": _positive,
    "log2": _positive,
    "log10": _positive,
    "log1p": _positive,
    "sqrt": _positive,
    "rsqrt": _positive,
    "square": _everywhere,
    "sigmoid": _everywhere,
    "sigmoid_backward": lambda x: [(x(2, 3), x(2, 3, low=0.1, high=0.9))],
    "tanh_backward": lambda x: [(x(2, 3), x(2, 3, low=-0.9, high=0.9))],
    "logit": lambda x: [(x(5, low=0.1, high=0.9),), (x(6, low=0.1, high=0.9), 0.25)],
    "floor": _real,
    "ceil": _real,
    "trunc": _real,
    "frac": _real,
    "round": lambda x: [(x(5),), (x(5), {"decimals": 1})],
    "sign": _real,
    "sgn": _everywhere,
    "abs": _everywhere,
    "angle": _everywhere,
    "deg2rad": _real,
    "rad2deg": _real,
    "nan_to_num": _real,
    "frexp": _real,
    "neg": _everywhere,
    "positive": _everywhere,
    "reciprocal": _everywhere,
    "sin": _everywhere,
    "cos": _everywhere,
    "tan": lambda x: [(x(2, 3, low=-1, high=1),), (x.complex(3),)],
    "asin": lambda x: [*_inside(x), (x.complex(3),)],
    "acos": lambda x: [*_inside(x), (x.complex(3),)],
    "atan": _everywhere,
    "sinh": _everywhere,
    "cosh": _everywhere,
    "tanh": _everywhere,
    "asinh": _everywhere,
    "acosh": lambda x: [(x(4, low=1.2, high=4),), (x.complex(3),)],
    "atanh": lambda x: [*_inside(x), (x.complex(3),)],
    "sinc": _everywhere,
}
