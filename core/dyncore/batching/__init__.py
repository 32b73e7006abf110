"""`torch.batched`: many examples through one model, each with steps of its own, their ops run together.

Every example runs in a coroutine. What its ops make are lazy tensors (`lazy.py`), which join a group of the same op
as they are made (`lazily.py`, by the rules in `rules.py`). When each example has ended or waits for a value, every
group runs as one op on stacked rows (`scheduler.py`, `rows.py`): the ordinary differentiable op, so that backward is
the ordinary backward.
"""

from __future__ import annotations

from .run import batched as batched
