"""Dtypes that NumPy has not, by name: scripts compare with them and hand them to `autocast`; no tensor has one."""

from __future__ import annotations

from . import dtypes

__dyncore__ = True


def _named(name: str, size: int, category: int) -> dtypes.Absent:
    return dtypes.Absent(name, f"V{size}", category, name)


DTYPES = {
    each.name: each
    for each in (
        _named("bfloat16", 2, dtypes.FLOATING),
        _named("complex32", 4, dtypes.COMPLEX),
        *(
            _named(f"float8_{kind}", 1, dtypes.FLOATING)
            for kind in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")
        ),
        *(_named(name, 1, dtypes.INTEGRAL) for name in ("qint8", "quint8", "quint4x2", "quint2x4")),
        _named("qint32", 4, dtypes.INTEGRAL),
        *(_named(f"{sign}int{bits}", 1, dtypes.INTEGRAL) for sign in ("", "u") for bits in range(1, 8)),
    )
}
DTYPES["chalf"] = DTYPES["complex32"]
globals().update(DTYPES)
