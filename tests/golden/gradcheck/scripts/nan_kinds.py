"""Each edge of a domain, on it and beside it."""

import dyncore as torch

KINDS = {
    "acos": lambda x: torch.acos(x + 1),
    "pow": lambda x: x**0.5,
    "rpow": lambda x: x.abs() ** 0.5,
    "atan2": lambda x: torch.atan2(x, x * 2),
    "div": lambda x: 1 / x,
    "xlogx": lambda x: x * x.log(),
    "atanh": lambda x: torch.atanh(x + 1),
    "log1p": lambda x: torch.log1p(x - 1),
    "norm": lambda x: x / x.abs(),
    "rsqrt": lambda x: x.rsqrt(),
    "lgamma": lambda x: torch.lgamma(x),
    "std": lambda x: torch.stack([x, x]).std(),
}


def forward(x, kind: str):
    return KINDS[kind](x).sum()


# $ -i x='[0.0]' -i kind=acos : nan x
# $ -i x='[0.0]' -i kind=pow : nan x
# $ -i x='[0.0]' -i kind=rpow : nan x
# $ -i x='[0.0]' -i kind=atan2 : nan|jump x
# $ -i x='[0.0]' -i kind=div : nan x
# $ -i x='[0.0]' -i kind=xlogx : nan x
# $ -i x='[0.0]' -i kind=atanh : nan x
# $ -i x='[0.0]' -i kind=log1p : nan x
# $ -i x='[0.0]' -i kind=norm : nan x
# $ -i x='[0.0]' -i kind=rsqrt : nan x
# $ -i x='[0.0]' -i kind=lgamma : nan x
# $ -i x='[-1e-9]' -i kind=acos : right
# $ -i x='[1e-9]' -i kind=pow : right
# $ -i x='[1e-15]' -i kind=rpow : right
# $ -i x='[1e-9]' -i kind=atan2 : right|not_measurable
# $ -i x='[1e-9]' -i kind=div : right
# $ -i x='[1e-9]' -i kind=xlogx : right
# $ -i x='[-1e-9]' -i kind=atanh : right
# $ -i x='[1e-9]' -i kind=log1p : right
# $ -i x='[1e-9]' -i kind=norm : right
# $ -i x='[1e-9]' -i kind=rsqrt : right
# $ -i x='[1e-9]' -i kind=lgamma : right
