"""Samples for functions of two and three tensors."""


def _pairs(x):
    return [(x(2, 3), x(2, 3)), (x(3), x(2, 1)), (x(), x(2)), (x.complex(3), x.complex(3))]


def _real(x):
    return [(x(2, 3), x(2, 3)), (x(3), x(2, 1)), (x(), x(2))]


def _positive(x):
    return [(x(2, 3, low=0.3), x(2, 3, low=0.3)), (x(3, low=0.3), x(2, 1, low=0.3))]


SAMPLES = {
    "add": _pairs,
    "sub": _pairs,
    "rsub": _pairs,
    **dict.fromkeys(("add_scaled", "sub_scaled", "rsub_scaled"), lambda x: (x(4), x(2, 4), {"alpha": 2.5})),
    "mul": _pairs,
    "div": _pairs,
    "div_rounded": lambda x: (x(4), x(4), {"rounding_mode": "floor"}),
    "remainder": _real,
    "fmod": _real,
    "copysign": _real,
    "nextafter": _real,
    "atan2": _real,
    "hypot": _real,
    "maximum": _real,
    "minimum": _real,
    "fmax": _real,
    "fmin": _real,
    "clamp": lambda x: [(x(6), -0.5, 0.9), (x(6), None, 0.3), (x(6), x(6, low=-2, high=-1), x(6, low=0.5))],
    "clamp_min": lambda x: [(x(6), -0.5), (x(6), x(6))],
    "clamp_max": lambda x: [(x(6), -0.5), (x(6), x(6))],
    "pow": lambda x: [
        *_positive(x),
        (x(4), 3),
        (x(4, low=0.3), 0.5),
        (2.5, x(4)),
        (x(3), 0),
        (x.complex(3), x.complex(3)),
    ],
    "float_power": lambda x: [*_positive(x), (x(4), 3)],
    "ldexp": _real,
    "lerp": lambda x: [(x(4), x(4), 0.3), (x(4), x(4), x(4, low=0.1, high=0.9)), (x.complex(3), x.complex(3), 0.7)],
    "addcmul": lambda x: [(x(4), x(4), x(4), {"value": 0.5}), (x.complex(2), x.complex(2), x.complex(2))],
    "addcdiv": lambda x: [(x(4), x(4), x(4), {"value": 0.5}), (x.complex(2), x.complex(2), x.complex(2))],
    "logaddexp": _pairs,
    "logaddexp2": _real,
    "xlogy": _positive,
}
