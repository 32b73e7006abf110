"""Each activation that has a corner, on it."""

import dyncore as torch
from dyncore.nn import functional as F

KINDS = {
    "leaky": lambda x: F.leaky_relu(x, 0.2),
    "elu": lambda x: F.elu(x, 2.0),
    "relu6": lambda x: F.relu6(x + 6),
    "hardtanh": lambda x: F.hardtanh(x + 1),
    "softshrink": lambda x: F.softshrink(x + 0.5),
    "prelu": lambda x: F.prelu(x, torch.tensor([0.3])),
    "celu": lambda x: F.celu(x, 2.0) + x.relu(),
    "selu": lambda x: F.selu(x),
    "hardsigmoid": lambda x: F.hardsigmoid(x + 3),
    "hardswish": lambda x: F.hardswish(x + 3),
    "hinge": lambda x: F.hinge_embedding_loss(x + 1, torch.tensor([-1, -1])),
    "margin": lambda x: F.margin_ranking_loss(x, x * 0, torch.tensor([1.0, 1.0])),
    "amax": lambda x: torch.amax(torch.stack([x, x * 2]), 0),
    "cummax": lambda x: torch.cummax(torch.stack([x, x * 2]), 0).values[-1],
    "fmod": lambda x: (x + 1).abs() % 5 + x.abs(),
    "minimum": lambda x: torch.minimum(x, x * x + 2 * x),
    "logical": lambda x: torch.where((x > 0) & (x < 1), x, x * 2),
    "infinity": lambda x: torch.linalg.vector_norm(torch.stack([x, 2 * x]), float("inf")),
    "median": lambda x: torch.stack([x * 2, x * 0, x * 0 + 1]).median(0).values,
    "quantile": lambda x: torch.quantile(torch.cat([x, x * 3, x * 0 + 1]), 0.3),
}


def forward(x, kind: str):
    return KINDS[kind](x)


# $ -i x='[0.0, 0.5]' -i kind=leaky : kink x
# $ -i x='[0.0, 0.5]' -i kind=elu : kink x
# $ -i x='[0.0, -0.5]' -i kind=relu6 : kink x
# $ -i x='[0.0, -0.5]' -i kind=hardtanh : kink x
# $ -i x='[0.0, 0.5]' -i kind=softshrink : kink x
# $ -i x='[0.0, 0.5]' -i kind=prelu : kink x
# $ -i x='[0.0, 0.5]' -i kind=celu : kink x
# $ -i x='[0.0, 0.5]' -i kind=selu : kink x
# $ -i x='[0.0, 0.5]' -i kind=hardsigmoid : kink x
# $ -i x='[0.0, 0.5]' -i kind=hardswish : kink x
# $ -i x='[0.0, 0.5]' -i kind=hinge : kink x
# $ -i x='[0.0, 0.5]' -i kind=margin : kink x
# $ -i x='[0.0, 0.5]' -i kind=amax : kink x
# $ -i x='[0.0, 0.5]' -i kind=cummax : kink x
# $ -i x='[0.0, 0.5]' -i kind=fmod : kink x
# $ -i x='[0.3, 0.5]' -i kind=minimum : right
# $ -i x='[-1.0, 0.5]' -i kind=minimum : kink x
# $ -i x='[0.0, 0.5]' -i kind=logical : kink x
# $ -i x='[0.0, 0.0]' -i kind=infinity : kink x
# $ -i x='[0.0, 0.4]' -i kind=median : kink x
# $ -i x='[0.0, 0.5]' -i kind=quantile : kink x
# $ -i x='[0.3, 0.5]' -i kind=leaky : right
# $ -i x='[0.3, -0.5]' -i kind=hardswish : right
# $ -i x='[0.3, 0.5]' -i kind=quantile : right
# $ -i x='[0.3, 0.4]' -i kind=median : right
# $ -i x='[0.3, 0.5]' -i kind=cummax : right
# $ -i x='[0.3, 0.5]' -i kind=infinity : right
