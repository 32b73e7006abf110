"""Values of each node of a drawing at each iteration of its loop."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, TypeVar

from dyncli.analysis.decisions import because, outcome_symbol
from dyncli.analysis.graph.labels import short_values
from dyncli.analysis.graph.model import Graph, Node
from dyncli.analysis.graph.shapes import site_id
from dyncli.analysis.values import array_text, shape_text
from dyncli.analysis.writes import made_by_ops
from dyncli.records.model import Decision, Record, TensorSummary
from dyncli.records.text import one_line

MOST_STEPS = 12_000
MOST_CHARACTERS = 600

Step = tuple[int, str, str]
Names = tuple[str, str]
Item = TypeVar("Item")


class Steps(NamedTuple):
    """each: (iteration, what the node held, the gradient that came back).  value, gradient: of a node that ran once."""

    each: tuple[Step, ...] = ()
    value: str = ""
    gradient: str = ""


def steps_of(graph: Graph, record: Record) -> dict[str, Steps]:
    """Return the steps of every node, and every box folded at first, that has any; of very many the first and last."""
    ordinal, tests = _ordinals(record), _tests_of_loops(record)
    gradients: dict[int, int] = {}
    for backward in record.backwards:
        gradients |= {item.tensor: item.value for item in backward.gradients if item.value is not None}
    several = Counter(tensor for _, tensor, _ in record.edges)
    for _, tensor, gradient in record.edges:
        if several[tensor] == 1:  # of several each is a part
            gradients.setdefault(tensor, gradient)
    most = max(2, MOST_STEPS // max(len(graph.nodes), 1))
    boxes = [(box, box.folded.ops) for box in graph.boxes if box.folded is not None]
    folded = [Node(box.id, box.key, "module", box.name, ops=ops) for box, ops in boxes]
    made = made_by_ops(record)
    return {node.id: _of(node, record, ordinal, tests, made, gradients, most) for node in (*graph.nodes, *folded)}


def steps_of_two(graph: Graph, a: tuple[Graph, Record], b: tuple[Graph, Record], names: Names) -> dict[str, Steps]:
    """Return the steps of the nodes of two drawings in one: what both held alike once, else each with its name."""
    found = [
        {node.key: steps[node.id] for node in one.nodes} for one, record in (a, b) for steps in [steps_of(one, record)]
    ]
    nothing = Steps()
    return {
        node.id: _two(found[0].get(node.key, nothing), found[1].get(node.key, nothing), names) for node in graph.nodes
    }


def _two(a: Steps, b: Steps, names: Names) -> Steps:
    of_a, of_b = ({step: (words, gradient) for step, words, gradient in one.each} for one in (a, b))
    each = []
    missing = ("\u2014" if of_a and of_b else "", "")
    for step in sorted({*of_a, *of_b}):
        held = [of.get(step, missing) for of in (of_a, of_b)]
        each.append((step, _either(held[0][0], held[1][0], names), _either(held[0][1], held[1][1], names)))
    return Steps(tuple(each), _either(a.value, b.value, names), _either(a.gradient, b.gradient, names))


def _either(a: str, b: str, names: Names) -> str:
    """Return two texts as lines, each with the name of its run; one that both share stands alone."""
    if a == b:
        return a
    return "\n".join(f"{one_line(name, 24)}: {text}" for name, text in zip(names, (a, b)) if text)


def _of(
    node: Node,
    record: Record,
    ordinal: list[int],
    tests: dict[int, int],
    made: dict[int, int],
    gradients: dict[int, int],
    most: int,
) -> Steps:
    ops = node.ops if node.kind != "module" else {record.ops[seq].scope: seq for seq in node.ops}.values()
    raised = tuple((ordinal[record.ops[seq].scope], "raised", "") for seq in ops if record.ops[seq].error is not None)
    tensors = [(ordinal[record.ops[seq].scope], made[seq]) for seq in ops if seq in made]
    if node.kind == "decision":
        return Steps(tuple(_ends(_tested([record.decisions[seq] for seq in node.decisions], ordinal, tests), most)))
    if node.kind == "fold" or not (tensors or node.tensors):
        return Steps(raised)
    each = (*(_shown(record, step, number, gradients) for step, number in _ends(tensors, most)), *raised)
    if len(tensors) > 1 or (len(node.tensors) > 1 and not tensors):
        return Steps(each)
    number = tensors[0][1] if tensors else node.tensors[0]
    gradient = gradients.get(number)
    return Steps(each, _full(record.tensors[number]), "" if gradient is None else _full(record.tensors[gradient]))


def _shown(record: Record, step: int, number: int, gradients: dict[int, int]) -> Step:
    tensor = record.tensors[number]
    gradient = gradients.get(number)
    words = f"{one_line(tensor.dtype, 16)} {shape_text(tensor.shape)} · {short_values(tensor)}"
    return step, words, "" if gradient is None else short_values(record.tensors[gradient])


def _tested(decisions: list[Decision], ordinal: list[int], tests: dict[int, int]) -> list[Step]:
    """Return what a test came to at each step; what ended a `while` stands with the last step before it."""
    each: list[Step] = []
    for decision in decisions:
        step = tests.get(decision.seq, ordinal[decision.scope])
        words = f"{outcome_symbol(decision)} · {_because(decision)}"
        if decision.seq in tests and decision.arm == "exit" and each and each[-1][0] == step:
            words = f"{each.pop()[1]}, then {words}"
        each.append((step, words, ""))
    return each


def _tests_of_loops(record: Record) -> dict[int, int]:
    """Return for each test of a `while`, by its number, the iteration it led to, counted as `_ordinals` counts.

    One that led out has that of the last before it.
    """
    counts: Counter[str] = Counter()
    found: dict[int, int] = {}
    for decision in record.decisions:
        if decision.iteration is not None:
            counts[decision.site.id] += decision.arm != "exit"
            found[decision.seq] = max(0, counts[decision.site.id] - 1)
    return found


def _because(decision: Decision) -> str:
    return because([decision], names=False, point=False)


def _full(tensor: TensorSummary) -> str:
    """Return all values of a tensor that is too large for its node's label and small enough for a hover."""
    if tensor.values is None or len(tensor.values) <= 6:
        return ""
    return one_line(array_text(tensor.values, tensor.shape), MOST_CHARACTERS)


def _ends(items: list[Item], most: int) -> list[Item]:
    return items if len(items) <= most else [*items[: most - most // 4], *items[-(most // 4) :]]


def _ordinals(record: Record) -> list[int]:
    """Return for each scope which iteration of its innermost loop it stands in, counted over all runs of that loop."""
    counts: dict[str, int] = {}
    ordinals = [0] * max(len(record.scopes), 1)
    for scope in record.scopes[1:]:
        assert scope.parent is not None
        if scope.kind == "iteration":
            loop = site_id(scope)
            ordinals[scope.id] = counts[loop] = counts.get(loop, -1) + 1
        else:
            ordinals[scope.id] = ordinals[scope.parent]
    return ordinals
