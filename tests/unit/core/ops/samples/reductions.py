"""Samples for reductions, scans and what sorting answers."""


def _dims(x):
    return [(x(2, 3),), (x(2, 3), 1), (x(2, 3, 2), -1, True), (x(),)]


def _several(x):
    return [*_dims(x), (x(2, 3, 2), (0, 2)), (x.complex(2, 3), 1)]


def _along(x):
    return [(x(2, 4), 1), (x(2, 4), 0, True), (x(), 0)]


def _scan(x):
    return [(x(2, 4), 1), (x(4), -1), (x(), 0), (x.complex(3), 0)]


def _spread(x):
    return [(x(2, 3),), (x(2, 3), 1), (x(3, 4), (0, 1), {"correction": 0}), (x(2, 3), -1, False, True), (x.complex(5),)]


def _zeros(x):
    made = x(2, 4)
    made._array[0, 1] = made._array[1, 2] = made._array[1, 0] = 0.0
    return made


SAMPLES = {
    "sum": _several,
    "filled": lambda x: (x(), (2, 3)),
    "nansum": _dims,
    "mean": _several,
    "nanmean": _dims,
    "prod": lambda x: [*_dims(x), (_zeros(x), 1), (_zeros(x),), (x.complex(3),)],
    "logsumexp": lambda x: [(x(2, 3), 1), (x(2, 3), (0, 1), True), (x.complex(3), 0)],
    "norm": lambda x: [(x(3),), (x(2, 3), 1, 1), (x(2, 3), 3, 1), (x(2, 3), "nuc"), (x(2, 3), float("inf"), 0)],
    "var": _spread,
    "std": _spread,
    "var_mean": _spread,
    "std_mean": _spread,
    "max": lambda x: [*_along(x), (x(5),), (x(3), x(3))],
    "min": lambda x: [*_along(x), (x(5),), (x(3), x(3))],
    "amax": lambda x: [(x(2, 3),), (x(2, 3), 1), (x(2, 3), (0, 1), True)],
    "amin": lambda x: [(x(2, 3),), (x(2, 3), 1), (x(2, 3), (0, 1), True)],
    "aminmax": lambda x: [(x(2, 3),), (x(2, 3), {"dim": 1})],
    "sort": lambda x: [(x(2, 4),), (x(2, 4), 0, True)],
    "msort": lambda x: (x(4, 2),),
    "topk": lambda x: [(x(2, 5), 2), (x(5, 2), 3, 0, False)],
    "kthvalue": lambda x: [(x(2, 5), 2), (x(2, 5), 1, 0, True)],
    "median": lambda x: [(x(5),), (x(2, 4), 1)],
    "nanmedian": lambda x: [(x(5),), (x(2, 4), 1)],
    "mode": lambda x: (x(2, 5),),
    "quantile": lambda x: [(x(5), 0.4), (x(2, 5), 0.3, 1), (x(2, 5), 0.6, 1, True)],
    "nanquantile": lambda x: [(x(5), 0.4), (x(2, 5), 0.3, 1)],
    "cumsum": _scan,
    "cumprod": lambda x: [*_scan(x), (_zeros(x), 1)],
    "logcumsumexp": _scan,
    "cummax": lambda x: [(x(2, 4), 1), (x(), 0)],
    "cummin": lambda x: [(x(2, 4), 1), (x(), 0)],
    "recurrence": lambda x: [(x(2, 4), x(2, 4), 1), (x.complex(3), x.complex(3), 0)],
    "diff": lambda x: [(x(5),), (x(2, 4), 2, 0), (x(2, 3), 1, 1, x(2, 1))],
    "trapezoid": lambda x: [(x(4),), (x(2, 4), x(4)), (x(3, 2), {"dx": 0.5, "dim": 0})],
    "cumulative_trapezoid": lambda x: [(x(4),), (x(2, 4), x(4)), (x(3, 2), {"dx": 0.5, "dim": 0})],
    "gradient": lambda x: [
        (x(5),),
        (x(4, 5), {"spacing": 0.5, "edge_order": 2}),
        (x(5), {"spacing": (x(5, grad=False).sort()[0],)}),
    ],
}
# The last two require grad and have no derivative.
EXCUSED = ("histogramdd", "unique", "unique_consecutive", "floor_divide", "heaviside")
