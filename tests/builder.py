"""Builds a record by hand, part by part, in the order they would have run."""

from __future__ import annotations

from typing import Any

from dyncli.records.model import (
    Backward,
    Condition,
    Decision,
    Gradient,
    Op,
    Output,
    Record,
    Scope,
    Site,
    Source,
    Stats,
    TensorSummary,
    Value,
)


class Builder:
    """Collects the parts of a record in the order they would have run."""

    def __init__(self, model: str, text: str, entry: str = "forward", **more: Any) -> None:
        self.file, self.text = model, text
        self.more: dict[str, Any] = {"model": model, "entry": entry, **more}
        self.entry = entry
        self.tensors: list[TensorSummary] = []
        self.ops: list[Op] = []
        self.decisions: list[Decision] = []
        self.scopes = [Scope(0, None, "root", entry)]
        self.sites: list[Site] = []
        self.inputs: list[Output] = []
        self.outputs: list[Output] = []
        self.gradients: list[Gradient] = []
        self.edges: list[tuple[int, int, int]] = []
        self._sites: dict[tuple[int, str, str], Site] = {}

    def site(self, line: int, text: str, kind: str = "op", **more: Any) -> Site:
        """Return the site of `text` on `line`, always the same object."""
        key = (line, text, kind)
        if key not in self._sites:
            source = self.text.splitlines()[line - 1] if line <= len(self.text.splitlines()) else ""
            col = max(source.find(text), 0)
            identity = f"{len(self._sites) + 0xA1:012x}"
            more.setdefault("function", self.entry)
            self._sites[key] = Site(identity, self.file, line, col, line, col + len(text), kind, text, **more)
            if kind != "op":
                self.sites.append(self._sites[key])
        return self._sites[key]

    def tensor(self, values: Any, shape: tuple[int, ...] = (), dtype: str = "float32", **more: Any) -> int:
        """Add a tensor and return its number; `values` is a flat tuple, one scalar, or Stats."""
        if isinstance(values, Stats):
            more["stats"] = values
        else:
            more["values"] = values if isinstance(values, tuple) else (values,)
        self.tensors.append(TensorSummary(len(self.tensors), shape, dtype, **more))
        return len(self.tensors) - 1

    def input(self, name: str, values: Any, shape: tuple[int, ...] = (), role: str = "input", **more: Any) -> int:
        """Add an input (or a parameter) and return the tensor's number."""
        more.setdefault("requires_grad", True)
        number = self.tensor(values, shape, name=name, role=role, **more)
        if role == "input":
            self.inputs.append(Output(name, number))
        return number

    def op(
        self, name: str, inputs: tuple[int, ...], values: Any, shape: tuple[int, ...] = (), *, site: Site,
        dtype: str = "float32", **more: Any,
    ) -> int:  # fmt: skip
        """Add an op with one output and return the output's number."""
        seq = len(self.ops)
        more.setdefault("elapsed_ns", 1200)
        output = self.tensor(values, shape, dtype, op=seq)
        self.ops.append(Op(seq, name, inputs, (output,), site, **more))
        return output

    def decide(self, site: Site, arm: str, outcome: bool | int, *conditions: Condition, **more: Any) -> int:
        """Add a decision and return its number; its margin and predicate are those of the first condition."""
        seq = len(self.decisions)
        if conditions:
            more.setdefault("margin", conditions[0].margin)
            more.setdefault("predicate_op", conditions[0].predicate_op)
            more.setdefault("origin", conditions[0].origin)
        more.setdefault("call_path", (self.entry,))
        self.decisions.append(Decision(seq, site, arm, outcome, conditions=conditions, **more))
        return seq

    def scope(self, parent: int, kind: str, name: str, **more: Any) -> int:
        """Add a scope and return its number."""
        self.scopes.append(Scope(len(self.scopes), parent, kind, name, **more))
        return len(self.scopes) - 1

    def gradient(self, tensor: int, values: Any = None, reason: str | None = None, name: str | None = None) -> None:
        """Add what came back to `tensor`: values in its shape, or the reason there are none."""
        holder = None
        of = self.tensors[tensor]
        if values is not None:
            holder = self.tensor(values, of.shape, of.dtype, role="gradient")
        role = of.role if of.role in ("input", "parameter") else "intermediate"
        self.gradients.append(Gradient(name or of.name or "?", tensor, role, holder, reason))

    def edge(self, op: int, tensor: int, values: Any) -> None:
        """Add the gradient that op number `op` handed to its input `tensor`."""
        of = self.tensors[tensor]
        self.edges.append((op, tensor, self.tensor(values, of.shape, of.dtype, role="gradient")))

    def record(self, output: int | None = None, seed: str = "ones", **more: Any) -> Record:
        """Return the record, with `output` returned and one backward from it if gradients were added."""
        if output is not None:
            self.outputs.append(Output("output", output))
        backwards = (Backward(0, None, output, seed, tuple(self.gradients), 9000),) if self.gradients else ()
        return Record(
            **{
                **self.more,
                "sources": (Source(self.file, "00" * 8, self.text),),
                "versions": {"dyncli": "0.1.0", "numpy": "2.4.6", "python": "3.11.7"},
                "sites": tuple(self.sites),
                "scopes": tuple(self.scopes),
                "tensors": tuple(self.tensors),
                "ops": tuple(self.ops),
                "decisions": tuple(self.decisions),
                "inputs": tuple(self.inputs),
                "outputs": tuple(self.outputs),
                "backwards": backwards,
                "edges": tuple(self.edges),
                "signature": "8d1f6a0c44be2210",
                "elapsed_ns": 310_000,
                **more,
            }
        )


def compare(text: str, op: str, lhs: Value, rhs: Value, outcome: bool, margin: float | None, **more: Any) -> Condition:
    """Return the condition of one comparison."""
    return Condition(text, op, lhs, rhs, None, outcome, margin, **more)
