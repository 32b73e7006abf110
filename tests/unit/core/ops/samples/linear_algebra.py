"""Samples for decompositions, solutions and the transforms they are used with."""

import numpy as np


def _regular(x, *batch, n=3):
    """Square matrices far from singular, with different eigenvalues."""
    return x.given(x(*batch, n, n)._array * 0.3 + np.diag(np.arange(1.0, n + 1) * 2))


def _lower(x, n=3):
    return x.given(np.tril(x(n, n)._array) + 3 * np.eye(n))


def _many(x):
    return [(_regular(x),), (_regular(x, 2),)]


def _any_shape(x):
    return [(_regular(x),), (x(4, 2),), (x(2, 4),)]


SAMPLES = {
    "linalg_inv_ex": _many,
    "linalg_slogdet": _many,
    "linalg_matrix_exp": lambda x: [(x(2, 2),), (x(2, 3, 3),)],
    "triangular_solve": lambda x: [(x(3, 2), _lower(x).mT), (x(3, 2), _lower(x), False, True)],
    "linalg_solve_triangular": lambda x: [
        (_lower(x), x(3, 2), {"upper": False}),
        (_lower(x), x(2, 3), {"upper": False, "left": False}),
        (_lower(x), x(3, 2), {"upper": True, "unitriangular": True}),
    ],
    "linalg_qr": lambda x: [(_regular(x),), (x(4, 2),), (x(2, 4),), (x(2, 4), "complete")],
    "linalg_svd": lambda x: [(_regular(x), False), (x(4, 2), False), (x(2, 4), False)],
    "linalg_lu": _any_shape,
    "linalg_lu_factor_ex": _any_shape,
    "linalg_pinv": lambda x: [(_regular(x),), (x(4, 2),), (x(2, 4),)],
    "linalg_cross": lambda x: [(x(2, 3), x(2, 3)), (x(3, 2), x(3, 2), {"dim": 0})],
    "contract": lambda x: [
        ([x(2, 3), x(3, 4)], ("ij", "jk"), "ik"),
        ([x(2, 3), x(2, 3), x(2)], ("ij", "ij", "i"), "j"),
        ([x(2, 3, 4)], ("ijk",), "kj"),
        ([x(2, 3), x(4)], ("ij", "k"), "ki"),
    ],
    "_block_diag": lambda x: ([x(2, 3), x(1, 2), x()],),
    "_fft_c2c": lambda x: [(x.complex(4), (0,), 1.0, True), (x.complex(2, 3), (0, 1), 0.5, False)],
    "_fft_c2r": lambda x: [(x.complex(3), (0,), 1.0, 4), (x.complex(2, 3), (0, 1), 0.5, 5)],
    "_fft_r2c": lambda x: [(x(4), (0,), 1.0), (x(2, 5), (0, 1), 0.5)],
}
