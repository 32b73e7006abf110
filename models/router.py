"""A mixture of experts in which the data choose the expert.

The gate scores the experts; the rows of the batch go to the best one for each, and only experts that got a row run.
An expert that nobody chose has no gradient, and dyncli says why.
"""

import dyncore as torch
from dyncore import Tensor, nn

torch.manual_seed(1)
EXPERTS = 3


class Router(nn.Module):
    """Sends each row to the expert with the highest gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(2, EXPERTS)
        self.experts = nn.ModuleList(nn.Linear(2, 2) for _ in range(EXPERTS))

    def forward(self, x: Tensor) -> Tensor:
        """x: (rows, 2).  Returns (rows, 2), each row its expert's output times the expert's gate."""
        gates = torch.softmax(self.gate(x), dim=1)
        rows = []
        for row, weights in zip(x, gates):
            best = weights.argmax().item()
            rows.append(weights[best] * self.experts[best](row))
        return torch.stack(rows)


model = Router()
