"""Samples for products of matrices, what is solved with them, and distances."""

import numpy as np


def _lower(x, n=3):
    return x.given(np.tril(x(n, n)._array) + 3 * np.eye(n))


SAMPLES = {
    "mm": lambda x: [(x(2, 3), x(3, 4)), (x.complex(2, 2), x.complex(2, 2))],
    "mv": lambda x: (x(2, 3), x(3)),
    "dot": lambda x: [(x(3), x(3)), (x.complex(3), x.complex(3))],
    "vdot": lambda x: [(x(3), x(3)), (x.complex(3), x.complex(3))],
    "outer": lambda x: [(x(2), x(3)), (x.complex(2), x.complex(3))],
    "bmm": lambda x: (x(2, 2, 3), x(2, 3, 2)),
    "matmul": lambda x: [(x(3), x(3)), (x(2, 3), x(3)), (x(3), x(3, 2)), (x(2, 1, 2, 3), x(4, 3, 2))],
    "linear": lambda x: [(x(2, 3), x(4, 3), x(4)), (x(3), x(4, 3))],
    "bilinear": lambda x: (x(2, 3), x(2, 4), x(5, 3, 4), x(5)),
    "addmm": lambda x: (x(2, 4), x(2, 3), x(3, 4), {"beta": 0.5, "alpha": 2.0}),
    "addmv": lambda x: (x(2), x(2, 3), x(3), {"beta": 0.5, "alpha": 2.0}),
    "addr": lambda x: (x(2, 3), x(2), x(3), {"beta": 0.5, "alpha": 2.0}),
    "baddbmm": lambda x: (x(2, 2, 4), x(2, 2, 3), x(2, 3, 4), {"beta": 0.5, "alpha": 2.0}),
    "addbmm": lambda x: (x(2, 4), x(2, 2, 3), x(2, 3, 4), {"beta": 0.5, "alpha": 2.0}),
    "trace": lambda x: (x(3, 4),),
    "linalg_inv": lambda x: (_lower(x),),
    "linalg_det": lambda x: [(_lower(x),), (x(2, 2),)],
    "linalg_solve": lambda x: [(_lower(x), x(3, 2)), (_lower(x), x(3))],
    "linalg_vector_norm": lambda x: [(x(3),), (x(2, 3), 3, 1), (x.complex(3),), (x(2, 3), 1), (x(4), float("inf"))],
    "cdist": lambda x: [(x(2, 3), x(4, 3)), (x(2, 3), x(2, 3), 3.0)],
    "pairwise_distance": lambda x: (x(2, 3), x(2, 3)),
    "dist": lambda x: [(x(2, 3), x(3)), (x(2, 3), x(2, 3), 3.0)],
    "length": lambda x: [(x(2, 3), 2.0, False), (x(2, 3), 3.0, True)],
    "pdist": lambda x: (x(4, 3),),
    "cosine_similarity": lambda x: (x(2, 3), x(2, 3)),
    "renorm": lambda x: (x(3, 4), 2.0, 0, 1.0),
}
# Their input has to keep a structure (symmetric, unit triangular) that a difference quotient breaks.
EXCUSED = ("cholesky", "cholesky_solve", "cholesky_inverse", "lu_unpack")
