"""Samples for picking, placing and masking."""


def _index(x, below, *shape):
    return x.int(below, shape)


def _mask(x, *shape):
    return x(*shape, grad=False) > 0


SAMPLES = {
    "__getitem__": lambda x: [
        (x(3, 4), 1), (x(3, 4), (slice(None), slice(1, 3))), (x(3, 4), (..., None)), (x(3, 4), _mask(x, 3, 4)),
        (x(3, 4), (_index(x, 3, 5), _index(x, 4, 5))), (x(2, 3, 4), (0, slice(None), [1, 1, 2])),
    ],
    "slice": lambda x: (x(3, 5), 1, 1, 4, 2),
    "index_put": lambda x: [
        (x(4), (_index(x, 4, 6),), x(6), True), (x(3, 4), (_mask(x, 3, 4),), x()), (x(2, 3), ([0, 1], [2, 0]), x(2)),
    ],
    "index_select": lambda x: [(x(3, 4), 1, _index(x, 4, 6)), (x(3), 0, _index(x, 3, 2))],
    "index_fill": lambda x: [(x(3, 4), 1, _index(x, 4, 2), x()), (x(3), 0, _index(x, 3, 2), 2.0)],
    "index_copy": lambda x: (x(3, 4), 1, x(2, grad=False).argsort(), x(3, 2)),
    "index_add": lambda x: (x(3, 4), 1, _index(x, 4, 6), x(3, 6), {"alpha": 0.5}),
    "index_reduce": lambda x: [
        (x(3, 4), 1, _index(x, 4, 6), x(3, 6), name) for name in ("mean", "amax", "amin", "prod")
    ],
    "take": lambda x: (x(3, 4), _index(x, 12, 2, 3)),
    "put": lambda x: [(x(3, 4), _index(x, 12, 5), x(5), True), (x(5), x(3, grad=False).argsort(), x(3))],
    "gather": lambda x: [(x(3, 4), 1, _index(x, 4, 3, 2)), (x(3, 4), 0, _index(x, 3, 5, 4)), (x(), 0, _index(x, 1))],
    "take_along_dim": lambda x: [(x(3, 4), _index(x, 4, 3, 2), 1), (x(3, 4), _index(x, 12, 5))],
    "scatter": lambda x: [(x(3, 4), 1, x(3, 2, grad=False).argsort(1), x(3, 2)), (x(3, 4), 1, _index(x, 4, 3, 2), 2.0)],
    "scatter_add": lambda x: [(x(3, 4), 1, _index(x, 4, 3, 6), x(3, 6)), (x(3, 4), 0, _index(x, 3, 2, 2), x(3, 4))],
    "scatter_reduce": lambda x: [
        (x(3, 4), 1, _index(x, 4, 3, 6), x(3, 6), name, {"include_self": kept})
        for name in ("sum", "mean", "amax", "amin", "prod") for kept in (True, False)
    ],
    "where": lambda x: [(_mask(x, 2, 3), x(2, 3), x(3)), (_mask(x, 3), x(), 2.0)],
    "masked_fill": lambda x: [(x(2, 3), _mask(x, 2, 3), x()), (x(2, 3), _mask(x, 3), 2.0)],
    "masked_select": lambda x: [(x(2, 3), _mask(x, 2, 3)), (x(3), _mask(x, 2, 3))],
    "masked_scatter": lambda x: (x(2, 3), _mask(x, 2, 3), x(7)),
    "repeat_interleave": lambda x: [(x(2, 3), 2), (x(2, 3), 2, 1), (x(3), _index(x, 3, 3), 0)],
    "select_scatter": lambda x: (x(3, 4), x(3), 1, 2),
    "slice_scatter": lambda x: (x(3, 4), x(3, 2), 1, 0, 4, 2),
    "diagonal_scatter": lambda x: [(x(3, 4), x(3)), (x(3, 4), x(2), -1)],
    "as_strided_scatter": lambda x: (x(3, 4), x(2, 2), (2, 2), (1, 3), 1),
    "cartesian_prod": lambda x: (x(2), x(3)),
    "combinations": lambda x: [(x(4),), (x(3), 2, True)],
}  # fmt: skip
