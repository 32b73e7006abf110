"""`torch.special`: error, gamma, Bessel and zeta functions and orthogonal polynomials, by PyTorch's names."""

from __future__ import annotations

from typing import Any

from dyncore.binding.namespaces import names_in, op_named
from dyncore.dispatch.registry import TABLE

__capture__ = "replayed"

_OTHER = {
    "digamma": "digamma", "psi": "digamma", "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "exp2": "exp2",
    "expit": "sigmoid", "expm1": "expm1", "gammainc": "igamma", "gammaincc": "igammac", "gammaln": "lgamma",
    "i0": "i0", "log1p": "log1p", "log_softmax": "log_softmax", "logit": "logit", "logsumexp": "logsumexp",
    "multigammaln": "mvlgamma", "polygamma": "polygamma", "round": "round", "sinc": "sinc", "softmax": "softmax",
    "xlogy": "xlogy",
}  # fmt: skip


def round(input: Any, *, decimals: int = 0, out: Any = None) -> Any:
    """Return `torch.round` to `decimals` places."""
    return TABLE["round"].entry(input, decimals=decimals, **({} if out is None else {"out": out}))


def __getattr__(name: str) -> Any:
    found = op_named("special", name, _OTHER)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return names_in("special", _OTHER)
