"""A model exported in this process: what it computes in ONNX Runtime and in Python."""

from pathlib import Path

import numpy as np

from dyncli.export.build import build
from dyncli.export.runs import Subject
from dyncli.export.verify import Session, differences, with_arrays


class Exported:
    """A model and its session.  notes: why paths were not merged."""

    def __init__(self, folder: Path, source: str, cases: list, *, paths_only: bool = False, entry: str | None = None):
        path, data = folder / "net.py", folder / "cases.jsonl"
        path.write_text(source)
        data.write_text("".join(f"{case}\n" for case in cases))
        self.notes: list[str] = []
        self.subject = Subject(str(path), entry, ((f"@{data}",),), None, "float32", 0)
        self.built = build(self.subject, opset=18, paths_only=paths_only, fail=False, report=self.notes.append)
        model = folder / "net.onnx"
        model.write_bytes(self.built.model.SerializeToString())
        self.session = Session(model)

    def outcome(self, x: list) -> str:
        """Return the outcome for an input: `right`, `flagged` or `wrong`."""
        case = with_arrays(self.built.runs[0].case, {"x": np.array(x, np.float32)}, {})
        found = self.session(case)
        if not found["captured"]:
            return "flagged"
        expected = self.subject.eager(case)
        return "wrong" if differences(expected, found, "float32") else "right"

    def top(self, op: str) -> list:
        """Return the nodes of a kind that stand in no arm or body."""
        return [each for each in self.built.model.graph.node if each.op_type == op]

    def nodes(self, op: str) -> int:
        """Count the nodes of a kind, in arms and bodies too."""

        def count(graph):
            inner = [each.g for node in graph.node for each in node.attribute if each.HasField("g")]
            return sum(node.op_type == op for node in graph.node) + sum(map(count, inner))

        return count(self.built.model.graph)
