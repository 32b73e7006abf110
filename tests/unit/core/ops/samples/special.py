"""Samples for special functions."""


def _real(x):
    return [(x(2, 3),), (x(),), (x(3, low=2, high=12),)]


SAMPLES = {
    "erf": _real,
    "erfc": _real,
    "erfinv": lambda x: (x(6, low=-0.95, high=0.95),),
    "special_erfcx": _real,
    "special_ndtr": _real,
    "special_log_ndtr": lambda x: (x(6, low=-6, high=2),),
    "special_ndtri": lambda x: (x(6, low=0.05, high=0.95),),
    "special_entr": lambda x: (x(4, low=0.1),),
    "special_xlog1py": lambda x: (x(4), x(4, low=0.1)),
    "lgamma": lambda x: [(x(5, low=0.3, high=6),), (x(3, low=-1.9, high=-1.1),)],
    "digamma": lambda x: [(x(5, low=0.3, high=6),), (x(3, low=-1.8, high=-1.2),)],
    "polygamma": lambda x: [(1, x(5, low=0.4, high=6)), (3, x(3, low=0.6, high=12)), (0, x(2, low=0.5))],
    "mvlgamma": lambda x: (x(4, low=2, high=5), 3),
    "igamma": lambda x: (x(4, low=0.5, high=5, grad=False), x(4, low=0.3, high=8)),
    "igammac": lambda x: (x(4, low=0.5, high=5, grad=False), x(4, low=0.3, high=8)),
    "i0": _real,
    "special_i0e": _real,
    "special_i1": _real,
    "special_i1e": _real,
}
