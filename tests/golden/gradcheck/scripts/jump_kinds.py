"""Each way to make a whole number of an input, on a step."""

import bisect
import math

import dyncore as torch

EDGES = [0.0, 1.0, 2.0, 3.0]
KINDS = {
    "long": lambda x: x.long() * x,
    "trunc": lambda x: torch.trunc(x) + x,
    "ceil": lambda x: torch.ceil(x) + x,
    "floor_divide": lambda x: x // 1 + x,
    "remainder": lambda x: x % 1,
    "frac": lambda x: torch.frac(x),
    "python_round": lambda x: x * round(x.item() + 0.5),
    "python_floor": lambda x: x * math.floor(x.item()),
    "bisect": lambda x: x + bisect.bisect(EDGES, x.item()),
    "bucketize": lambda x: x + torch.bucketize(x, torch.tensor(EDGES)),
    "heaviside": lambda x: torch.heaviside(x - 2, torch.tensor(0.5)) + x,
    "step": lambda x: (x > 2) * x,
    "chain": lambda x: x * 2 if 1 < x < 2 else x,
    "any": lambda x: x + (1 if any(e == x.item() for e in EDGES) else 0),
    "try": lambda x: x * 3 if _inside(x) else x,
    "list": lambda x: [x, x * 2, x * 3][int(x)],
    "min": lambda x: min([(abs(e - 0.5 - x.item()), e) for e in EDGES])[1] * x,
    "format": lambda x: x * len(f"{int(x.item() * 5)}"),
    "sign": lambda x: (x - 2).sign() + x,
    "argmin": lambda x: x * torch.stack([x * x, x * 2]).argmin(),
    "count": lambda x: x * torch.count_nonzero(torch.arange(5) < x),
    "generator": lambda x: x * sum(1 for e in EDGES if e < x),
}


def _inside(x):
    try:
        math.sqrt(2 - x.item())
    except ValueError:
        return False
    return True


def forward(x, kind: str):
    return KINDS[kind](x)


# $ -i x=2.0 -i kind=long : jump x
# $ -i x=2.0 -i kind=trunc : jump x
# $ -i x=2.0 -i kind=ceil : jump x
# $ -i x=2.0 -i kind=floor_divide : wrong x
# $ -i x=2.0 -i kind=remainder : jump x
# $ -i x=2.0 -i kind=frac : jump x
# $ -i x=2.0 -i kind=python_round : jump x
# $ -i x=2.0 -i kind=python_floor : jump x
# $ -i x=2.0 -i kind=bisect : jump x
# $ -i x=2.0 -i kind=bucketize : jump x
# $ -i x=2.0 -i kind=heaviside : wrong x
# $ -i x=2.0 -i kind=step : jump x
# $ -i x=2.0 -i kind=chain : jump x
# $ -i x=2.0 -i kind=any : jump x
# $ -i x=2.0 -i kind=try : jump x
# $ -i x=2.0 -i kind=list : jump x
# $ -i x=2.0 -i kind=min : jump x
# $ -i x=2.0 -i kind=format : jump x
# $ -i x=2.0 -i kind=sign : jump x
# $ -i x=2.0 -i kind=argmin : jump x
# $ -i x=2.0 -i kind=count : jump x
# $ -i x=2.0 -i kind=generator : jump x
# $ -i x=2.3 -i kind=long : right
# $ -i x=2.3 -i kind=remainder : right
# $ -i x=2.3 -i kind=bisect : right
# $ -i x=2.3 -i kind=python_floor : right
# $ -i x=2.3 -i kind=any : right
# $ -i x=1.9 -i kind=try : right
