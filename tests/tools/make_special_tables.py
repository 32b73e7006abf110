"""Writes `core/dyncore/ops/special_tables.txt`: Chebyshev series of special functions, computed with mpmath.

`python -m tests.tools.make_special_tables` from the top of the tree; only needed to check or extend the tables.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath as mp

mp.mp.dps = 40
TARGET = Path(__file__).resolve().parents[2] / "core" / "dyncore" / "ops" / "special_tables.txt"


def series(function: Callable[[Any], Any], nodes: int = 64) -> list[float]:
    """The Chebyshev coefficients of a function on [-1, 1], up to where they vanish beside the largest."""
    angles = [mp.pi * (k + mp.mpf(1) / 2) / nodes for k in range(nodes)]
    values = [function(mp.cos(angle)) for angle in angles]
    made = [2 / mp.mpf(nodes) * mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles)) for j in range(nodes)]
    made[0] /= 2
    largest = max(abs(c) for c in made)
    while abs(made[-1]) < largest * mp.mpf(10) ** -17:
        made.pop()
    return [float(c) for c in made]


def hankel(order: int, part: str) -> Callable[[Any], Any]:
    """The slowly varying factor of J and Y from 8 on: real part, or x times the imaginary part, by 128 / x^2 - 1."""

    def function(t: Any) -> Any:
        x = mp.sqrt(128 / (t + 1))
        turned = mp.hankel1(order, x) * mp.sqrt(mp.pi * x / 2) * mp.expj(-(x - mp.pi * (2 * order + 1) / 4))
        return mp.re(turned) if part == "P" else x * mp.im(turned)

    return function


def airy_left(part: str) -> Callable[[Any], Any]:
    """The slowly varying factor of Ai(-z) from 5 on, by 2 (z0 / zeta)^2 - 1 with zeta = 2/3 z^1.5."""
    start = mp.mpf(2) / 3 * mp.mpf(5) ** 1.5

    def function(t: Any) -> Any:
        zeta = start / mp.sqrt((t + 1) / 2)
        z = (zeta * 3 / 2) ** (mp.mpf(2) / 3)
        scale = mp.sqrt(mp.pi) * mp.sqrt(mp.sqrt(z))
        a, b = mp.airyai(-z) * scale, mp.airybi(-z) * scale
        c, s = mp.cos(zeta - mp.pi / 4), mp.sin(zeta - mp.pi / 4)
        return a * c - b * s if part == "P" else zeta * (a * s + b * c)

    return function


def airy_right(t: Any) -> Any:
    """2 sqrt(pi) x^(1/4) e^zeta Ai(x) from 2 on, by 2 z0 / zeta - 1."""
    zeta = mp.mpf(2) / 3 * mp.mpf(2) ** 1.5 * 2 / (t + 1)
    x = (zeta * 3 / 2) ** (mp.mpf(2) / 3)
    return 2 * mp.sqrt(mp.pi) * mp.sqrt(mp.sqrt(x)) * mp.exp(zeta) * mp.airyai(x)


def up_to_8(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda t: function(4 * (t + 1))


def squared(function: Callable[[Any], Any], limit: int) -> Callable[[Any], Any]:
    return lambda t: function(limit * mp.sqrt((t + 1) / 2))


def from_on(function: Callable[[Any], Any], start: int) -> Callable[[Any], Any]:
    return lambda t: function(2 * start / (t + 1))


SERIES = {
    "I0_SMALL": ("e^-x I0(x), t = x/4 - 1", up_to_8(lambda x: mp.exp(-x) * mp.besseli(0, x))),
    "I0_LARGE": ("sqrt(x) e^-x I0(x), t = 16/x - 1", from_on(lambda x: mp.sqrt(x) * mp.exp(-x) * mp.besseli(0, x), 8)),
    "I1_SMALL": ("e^-x I1(x) / x, t = x/4 - 1", up_to_8(lambda x: mp.exp(-x) * mp.besseli(1, x) / x)),
    "I1_LARGE": ("sqrt(x) e^-x I1(x), t = 16/x - 1", from_on(lambda x: mp.sqrt(x) * mp.exp(-x) * mp.besseli(1, x), 8)),
    "K0_SMALL": (
        "K0(x) + log(x/2) I0(x), t = x^2/2 - 1",
        squared(lambda x: mp.besselk(0, x) + mp.log(x / 2) * mp.besseli(0, x), 2),
    ),
    "K0_LARGE": ("sqrt(x) e^x K0(x), t = 4/x - 1", from_on(lambda x: mp.sqrt(x) * mp.exp(x) * mp.besselk(0, x), 2)),
    "K1_SMALL": (
        "x (K1(x) - log(x/2) I1(x)), t = x^2/2 - 1",
        squared(lambda x: x * (mp.besselk(1, x) - mp.log(x / 2) * mp.besseli(1, x)), 2),
    ),
    "K1_LARGE": ("sqrt(x) e^x K1(x), t = 4/x - 1", from_on(lambda x: mp.sqrt(x) * mp.exp(x) * mp.besselk(1, x), 2)),
    "J0_SMALL": ("J0(x), t = x^2/32 - 1", squared(lambda x: mp.besselj(0, x), 8)),
    "J1_SMALL": ("J1(x) / x, t = x^2/32 - 1", squared(lambda x: mp.besselj(1, x) / x, 8)),
    "Y0_SMALL": (
        "Y0(x) - 2/pi log(x) J0(x), t = x^2/32 - 1",
        squared(lambda x: mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x), 8),
    ),
    "Y1_SMALL": (
        "(Y1(x) - 2/pi (log(x) J1(x) - 1/x)) / x, t = x^2/32 - 1",
        squared(lambda x: (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x, 8),
    ),
    "P0": ("Re sqrt(pi x/2) H0(x) e^-i(x - pi/4), t = 128/x^2 - 1", hankel(0, "P")),
    "Q0": ("x Im of the same", hankel(0, "Q")),
    "P1": ("Re sqrt(pi x/2) H1(x) e^-i(x - 3 pi/4), t = 128/x^2 - 1", hankel(1, "P")),
    "Q1": ("x Im of the same", hankel(1, "Q")),
    "AIRY_RIGHT": ("2 sqrt(pi) x^1/4 e^z Ai(x), z = 2/3 x^1.5, t = 2 z(2)/z - 1", airy_right),
    "AIRY_P": ("sqrt(pi) x^1/4 (cos Ai(-x) - sin Bi(-x)) at z - pi/4, t = 2 (z(5)/z)^2 - 1", airy_left("P")),
    "AIRY_Q": ("z sqrt(pi) x^1/4 (sin Ai(-x) + cos Bi(-x)) at z - pi/4, t = 2 (z(5)/z)^2 - 1", airy_left("Q")),
}


def main() -> None:
    lines = ["# Chebyshev series for special functions; written by `python -m tests.tools.make_special_tables`."]
    for name, (formula, function) in SERIES.items():
        numbers = [repr(c) for c in series(function)]
        lines += [f"# {formula}", f"[{name}]"]
        lines += [" ".join(numbers[start : start + 4]) for start in range(0, len(numbers), 4)]
        print(name, len(numbers))
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
