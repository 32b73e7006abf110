"""From a record to a drawing: fold until it fits, then give every slot its words, every frame its box."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dyncli.analysis.decisions import is_main, strongest_origin
from dyncli.analysis.graph.annotations import passes, raised_in, raising_frame, stopped
from dyncli.analysis.graph.arms import Way, ways
from dyncli.analysis.graph.folds import Folds, written
from dyncli.analysis.graph.frame import Frame
from dyncli.analysis.graph.frames import Folding, fewest
from dyncli.analysis.graph.groups import Groups
from dyncli.analysis.graph.labels import ARROW, DOT, Labels, arm_word
from dyncli.analysis.graph.model import DEFAULT, Box, Edge, FoldedBox, Graph, GraphOptions, Line, Node
from dyncli.analysis.graph.selection import only
from dyncli.analysis.graph.shapes import Shapes
from dyncli.analysis.graph.slots import Slot, Slots
from dyncli.analysis.graph.union import union
from dyncli.analysis.recorded import all_unrecorded, came_several_times
from dyncli.analysis.values import counted, place_text, seeds, torch_text, value_text
from dyncli.records.model import Record
from dyncli.records.text import one_line

KINDS = {"loop": "loop", "call": "call", "module": "module", "arm": "arm", "kind": "kind", "step": "kind"}


#: A recursion of up to so many nodes is drawn call by call, if it is no deeper than this.
SMALL = 24
SHALLOW = 3
#: A loop inside a kind of step of another has kinds of its own in a drawing of up to so many nodes.
CROWDED = 40
#: One of up to so many nodes is drawn as it is; of more, modules and repeats are drawn smaller.
ROOMY = 30
#: A loop has a box for each kind of step in a drawing of up to so many nodes.
FULL = 56
LAST_OF_SEVERAL = "of several backwards through one op its last gradient is written"
LOST = "too much to unfold: see --max-nodes"
INNER, MERGED = "all steps of an inner loop are drawn as one", "calls of one function are drawn as one"
#: A loop unfolded into more steps than this has no box round each: 10,000 boxes take any layout program more than 4 GB.
MOST_STEP_BOXES = 100


class _Plan(NamedTuple):
    """A way of folding, what it is called in the picture, and how many nodes it may leave."""

    folding: Folding
    words: str
    most: int


class _Folded(NamedTuple):
    """The slots of a record under one of the plans, by its place among them."""

    plan: int
    words: str
    slots: Slots
    shapes: Shapes


class Foldings:
    """The foldings of one run that its drawings try, and the drawings, each made once.

    options: of the drawings, which may expand less.
    """

    def __init__(self, record: Record, options: GraphOptions) -> None:
        record = record._replace(scopes=tuple(record.scopes))  # read many times
        self.groups = Groups(record, Shapes(record), options)
        self._slots: dict[tuple[Folding, GraphOptions], Slots] = {}
        self._graphs: dict[tuple[Folding, GraphOptions], Graph] = {}

    def graph(self, options: GraphOptions) -> Graph:
        """Return a drawing, folded so far that no more than `options.max_nodes` are left if that can be."""
        folded = self.folded(options)
        key = folded.slots.folding, options._replace(room=1.0)
        if key not in self._graphs:
            self._graphs[key] = _drawn(self.groups.record, options, folded)
        return self._graphs[key]

    def folded(self, options: GraphOptions, start: int = 0) -> _Folded:
        """Return the slots under the first plan from `start` on that leaves as few as it may, or under the last."""
        record = self.groups.record
        found, deep = None, False
        least = fewest(record, self.groups.shapes)
        for place, (folding, words, most) in enumerate(_plans(record, options)):
            if place < start or (least > options.max_nodes and not folding.chunk):
                continue
            slots = self._under(folding, options)
            found = _Folded(place, words, slots, self.groups.shapes)
            drawn = slots.visible()
            if drawn <= max(most, SMALL * options.room, CROWDED):  # leaves of what is too much are not asked for
                slots.finish()
                drawn = slots.visible()
            own = slots.frames.recursive and (drawn > SMALL * options.room or slots.frames.depth > SHALLOW)
            deep = not folding.merge and (own or (deep and folding.again))
            if drawn <= most and not deep and not (drawn > CROWDED and slots.frames.kinds_in_kinds):
                break
        assert found is not None
        found.slots.finish()
        return found

    def _under(self, folding: Folding, options: GraphOptions) -> Slots:
        """Return the slots under a folding, which do not depend on how much room there is."""
        key = folding, options._replace(room=1.0)
        if key not in self._slots:
            wished = options if not folding.strict else options._replace(expand=())
            self._slots[key] = Slots(self.groups, wished, folding)
        return self._slots[key]


def build(record: Record, options: GraphOptions = DEFAULT) -> Graph:
    """Return the drawing of one run, folded so far that no more than `options.max_nodes` are left if that can be."""
    return Foldings(record, options).graph(options)


def build_two(a: Record, b: Record, options: GraphOptions, names: tuple[str, str]) -> tuple[Graph, Graph, Graph]:
    """Return the drawing of two runs in one, and each alone, folded alike so that they have all they can in common."""
    options = options._replace(one_body=True)
    of_a, of_b = Foldings(a, options), Foldings(b, options)
    one, two = of_a.folded(options), of_b.folded(options)
    while one.plan != two.plan:
        if one.plan < two.plan:
            one = of_a.folded(options, two.plan)
        else:
            two = of_b.folded(options, one.plan)
    alone = _drawn(of_a.groups.record, options, one), _drawn(of_b.groups.record, options, two)
    return union(*alone, names), *alone


def _drawn(record: Record, options: GraphOptions, folded: _Folded) -> Graph:
    slots = folded.slots
    slots.connect()
    _draw_choices(slots)
    lost = [f"--{option} {one_line(word, 40)}" for option, word in slots.frames.unfitted()]
    why = DOT.join(filter(None, [folded.words, f"nothing fits {', '.join(lost)}" if lost else ""]))
    graph = _Assembly(record, folded.shapes, slots, options).graph(why)
    return only(graph, options.only, slots.groups.asked) if options.only else graph


def _plans(record: Record, options: GraphOptions) -> Iterator[_Plan]:
    """Yield ways of folding, each folding more than the last.

    What is drawn smaller because of the crowd waits for as many nodes more as `max_nodes` is above what it is unasked.
    """
    deepest, most = options.depth, options.max_nodes
    compact = options.compact and not options.only and "all" not in options.expand
    share = options.room * most / DEFAULT.max_nodes
    few, some, many = (min(most, round(count * share)) for count in (ROOMY, CROWDED, FULL))
    room: dict[str, Any] = {"compact": compact, "depth": deepest}
    if compact:
        yield _Plan(Folding(depth=deepest), "", few)
        yield _Plan(Folding(**room), "", some)
        room["again"] = True
        yield _Plan(Folding(**room), "", most if options.foldable else many)
    if compact and not options.expand and not options.foldable:
        yield _Plan(Folding(inner=True, **room), INNER, many)
        yield _Plan(Folding(inner=True, one_body=True, **room), "all steps of a loop are drawn as one", most)
        yield _Plan(Folding(inner=True, merge=True, depth=deepest), MERGED, few)
        yield _Plan(Folding(inner=True, merge=True, **room), MERGED, many)
        room["one_body"] = True
    yield _Plan(Folding(**room), "", most)
    yield _Plan(Folding(inner=True, **room), INNER, most)
    room["inner"] = room["merge"] = True
    yield _Plan(Folding(**room), MERGED, most)
    yield _Plan(Folding(by_site=True, **room), "ops of one place are drawn as one", most)
    lost = f"{LOST}{DOT}" if options.expand else ""
    if options.expand:
        yield _Plan(Folding(strict=True, **room), LOST, most)
    room |= {"by_site": True, "strict": True}
    for depth in (4, 3, 2, 1, 0):
        if deepest is None or depth < deepest:
            yield _Plan(Folding(**(room | {"depth": depth})), f"{lost}drawn {depth} deep", most)
    chunk = max(2, -(-len(record.ops) // max(options.max_nodes // 2, 1)))
    yield _Plan(Folding(**(room | {"depth": 0, "chunk": chunk})), f"{lost}every {chunk:,} ops are drawn as one", most)


class _Assembly:
    """Puts one drawing together."""

    def __init__(self, record: Record, shapes: Shapes, slots: Slots, options: GraphOptions) -> None:
        self.record, self.slots, self.options = record, slots, options
        self.frames = slots.frames.frames
        self.labels = Labels(record, shapes, options, self.frames)
        self.raising = raising_frame(record, self.frames)
        folded = (frame for frame in self.frames if frame.folded_into == frame.number)
        self.folded_frames = {(*frame.key, "folded"): frame for frame in folded}
        self.boxes: dict[object, Box] = {}
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.node_of: dict[int, Node] = {}

    def graph(self, folded: str) -> Graph:
        """Return the finished drawing."""
        passed = self._passed_through()
        for slot in sorted(self.slots.slots, key=lambda slot: (slot.time, slot.number)):
            self._add(slot, self._node(slot, passed))
        self._data()
        for way in ways(self.record, self.slots):
            self._way(way, passed)
        self._say_where_none_leads()
        self._outputs()
        parts_of = {(tensor.name or "").partition(".")[0] for tensor in self.record.tensors if tensor.role == "input"}
        plain = [item for item in self.record.inputs if item.tensor is None and item.name not in parts_of]
        notes = [f"{one_line(item.name, 20)} = {value_text(item.value, 40)}" for item in plain]
        notes = [
            *stopped(self.record),
            *self._born_bad(),
            *notes[:6],
            *(f"no gradient: {words}" for words in self._ungraded()),
            *self._edges_unknown(),
            *[LAST_OF_SEVERAL] * (self.options.grads and came_several_times(self.record)),
            *passes(self.record),
        ]
        boxes = tuple(self.boxes.values())
        folded = folded if self.nodes else "nothing ran"
        parts = tuple(self.nodes), boxes, tuple(self.edges)
        return Graph(self._title(), *parts, DOT.join(notes), folded, self.record.sources, self.record.model)

    def _born_bad(self) -> list[str]:
        """Return where the first NaN or Inf of an output or gradient was born."""
        ops = self.record.ops
        return [
            f"{words}: {one_line(ops[op].name, 20)}, {self.labels.place(ops[op].site)}"
            for op, words in self.labels.born.items()
        ]

    def _ungraded(self) -> list[str]:
        """Return why a run that was to go backward did not."""
        beginnings = ("no output requires grad", "no gradient came back: ")
        if all_unrecorded(self.record):
            return ["all of it ran under no_grad"]
        found = [words.removeprefix(beginnings[1]) for words in self.record.warnings if words.startswith(beginnings)]
        return [one_line(words.partition(":")[0], 60) for words in found[:1]]

    def _edges_unknown(self) -> list[str]:
        """Return why edges have no gradient, of a run that was saved without what went back along each."""
        if not self.options.grads or self.record.edges or not self.record.backwards:
            return []
        return ["recorded without `--grads`: what went back along an edge is known where one op alone reads the value"]

    def _title(self) -> tuple[tuple[str, bool], ...]:
        record = self.record
        name = record.model + (f":{record.entry}" if record.entry else "")
        words: list[tuple[str, bool]] = [(one_line(name, 80), True)]
        if record.case:
            words += [(" · case ", False), (one_line(record.case, 40), True)]
        counts = [counted(len(record.ops), "op"), counted(len(record.decisions), "decision")]
        counts += map(one_line, torch_text(record.versions))
        words.append((DOT + DOT.join(counts), False))
        if record.status != "ok":
            words += [(DOT, False), (one_line(record.status, 20), True)]
        return tuple(words)

    def _add(self, slot: Slot, node: Node) -> None:
        self.nodes.append(node)
        self.node_of[slot.number] = node

    def _node(self, slot: Slot, passed: set[int]) -> Node:
        identity, box = f"n{slot.number}", self._box(self.frames[slot.frame], passed)
        ops, decisions, tensors = tuple(slot.ops), tuple(slot.decisions), tuple(slot.tensors)
        failed, kind = False, slot.kind
        if slot.kind == "op":
            name, rest, lines, failed = self.labels.op(slot)
            lines = (*lines[:-1], *written(self.labels, slot), *lines[-1:])
            if (leaf := self.labels.leaf_made(slot)) and not failed:
                kind, name, rest = "parameter", leaf, f"= {name} {rest.partition(ARROW)[0]}".rstrip()
        elif slot.kind in ("fold", "module"):
            folded = self.folded_frames.get(slot.key)
            folds = Folds(self.labels)
            name, rest, lines = folds.module(slot, folded) if folded and folded.plain else folds.fold(slot, folded)
            failed = any(op in self.labels.failed for op in ops)
        elif slot.kind == "decision":
            name, rest, lines = self.labels.decision(slot)
        else:
            name, rest, lines = self.labels.leaf(slot)
            lines = () if slot.kind == "leaf" else lines
        words = name, rest, lines, box, slot.site, ops, decisions, tensors, failed
        origin = strongest_origin(self.record.decisions[seq] for seq in decisions) if kind == "decision" else ""
        return Node(identity, slot.key, kind, *words, unrecorded=bool(self.labels.not_recorded(ops)), origin=origin)

    def _box(self, frame: Frame, passed: set[int]) -> str | None:
        """Return the id of the box drawn for `frame`, or for the one around it where it has none of its own."""
        if frame.parent is None:
            return None
        parent = self._box(self.frames[frame.parent], passed)
        if frame.kind == "root" or frame.number in passed:
            return parent
        if frame.number not in self.boxes:
            name, rest = self._arm_label(frame) if frame.kind == "arm" else self.labels.frame(frame)
            if frame.kind == "step":
                name, rest = frame.name, ""
            identity = f"b{frame.number}"
            times = len(frame.scopes)
            folded = self._closed(frame) if frame.closed else None
            box = Box(identity, frame.key, KINDS[frame.kind], name, rest, parent, frame.site, times, folded=folded)
            if frame.number == self.raising and self.record.failure is not None:
                words = raised_in(self.record, frame.site, (0, self.record.failure.frames[-1].line))
                box = box._replace(rest=DOT.join(filter(None, [rest, words])), failed=True)
            self.boxes[frame.number] = box
        return self.boxes[frame.number].id

    def _closed(self, frame: Frame) -> FoldedBox:
        """Return what a box says that is folded at first."""
        whole = Slot(-1, (*frame.key, "folded"), "fold", frame.number, frame.site)
        inside = {frame.number}
        for each in self.frames[frame.number + 1 :]:
            if each.parent in inside:
                inside.add(each.number)
        for slot in self.slots.slots:
            if slot.frame in inside:
                whole.ops += slot.ops
                whole.decisions += slot.decisions
                (whole.tensors if slot.kind == "parameter" else whole.written).extend(slot.tensors)
        whole.ops.sort()
        whole.decisions.sort()
        folds = Folds(self.labels)
        written = folds.module(whole, frame) if frame.plain else folds.fold(whole, frame)
        return FoldedBox("module", *written, tuple(whole.ops)) if frame.plain else FoldedBox("fold", *written)

    def _arm_label(self, frame: Frame) -> tuple[str, str]:
        word = frame.name if frame.decision is None else arm_word(self.record.decisions[frame.decision], frame.name)
        times = len(set(frame.arms))
        return one_line(word, 32), f"x {times:,}" if times > 1 else ""

    def _passed_through(self) -> set[int]:
        """Return the frames that get no box of their own.

        An arm without a body, an `else` that is only an `elif`, the steps of a loop unfolded into very many, and
        iterations that are all of one kind.
        """
        steps: dict[int | None, int] = {}
        for frame in self.frames:
            if frame.kind == "step":
                steps[frame.parent] = steps.get(frame.parent, 0) + 1
        many = {loop for loop, count in steps.items() if count > MOST_STEP_BOXES}
        passed = {frame.number for frame in self.frames if frame.kind == "step" and frame.parent in many}
        kinds: dict[int | None, list[int]] = {}
        for frame in self.frames:
            if frame.kind == "kind":
                kinds.setdefault(frame.parent, []).append(frame.number)
        passed |= {numbers[0] for numbers in kinds.values() if len(numbers) == 1}
        inside: dict[int, list[Slot]] = {}
        for slot in self.slots.slots:
            if slot.kind != "leaf":
                inside.setdefault(slot.frame, []).append(slot)
        for frame in self.frames:
            if frame.kind != "arm" or frame.site is None:
                continue
            site = frame.site
            spans = dict(zip(site.arms, site.arm_lines, strict=False))
            direct = inside.get(frame.number, [])
            only_elif = bool(direct) and all(s.site is not None and s.site.kind == "elif" for s in direct)
            if is_main(site) or only_elif or (frame.name in spans and spans[frame.name] is None):
                passed.add(frame.number)
        return passed

    def _data(self) -> None:
        for (source, target, kind), link in self.slots.links.items():
            gradient = ""
            if self.options.grads and kind in ("data", "carried"):
                gradient = self.labels.gradient_along(self.slots.slots[target].ops, link.tensors)
            self.edges.append(Edge(f"n{source}", f"n{target}", kind, link.label, gradient))

    def _way(self, way: Way, passed: set[int]) -> None:
        decision = self.slots.slots[way.decision]
        kind = "taken" if way.times else "left"
        label = way.word + (f" x{way.times:,}" if way.times > 1 else "")
        if way.target is not None:
            self.edges.append(Edge(f"n{decision.number}", f"n{way.target}", kind, label))
            return
        identity = f"n{decision.number}a{self._arm_number(decision, way.arm)}"
        place = ""
        if way.lines is not None and decision.site is not None:
            place = place_text(decision.site.file, way.lines[0], self.record.model, way.lines[1])
        around = self._box(self.frames[decision.frame], passed)
        box = Box(f"b{identity}", (*decision.key, "arm", way.arm), "arm" if way.times else "left",
                  way.word, place, around, decision.site, way.times)  # fmt: skip
        self.boxes[box.id] = box
        lines = tuple(Line(text, "source") for text in way.source)
        raised = raised_in(self.record, decision.site, way.lines) if way.times else ""
        lines += (Line(raised, "error"),) if raised else ()
        node_kind = "done" if way.times else "ghost"
        key, failed = (*decision.key, node_kind, way.arm), bool(raised)
        node = Node(identity, key, node_kind, "", "", lines, box.id, decision.site, failed=failed, span=way.lines)
        self.nodes.append(node)
        self.edges.append(Edge(f"n{decision.number}", identity, kind, label))

    def _say_where_none_leads(self) -> None:
        """Write the outcome into the diamond of a test whose way on is not drawn.

        Nothing ran there.
        """
        shown = {edge.source for edge in self.edges if edge.kind == "taken"}
        for place, node in enumerate(self.nodes):
            if node.kind != "decision" or len(node.decisions) != 1 or node.id in shown or not node.lines:
                continue
            decision = self.record.decisions[node.decisions[0]]
            if decision.trips is None and decision.exception is None:
                word, text = arm_word(decision, decision.arm), node.lines[0].text
                if text.endswith(f"{DOT}{word}"):
                    continue  # the value that decided is the outcome
                first = node.lines[0]._replace(text=f"{text} \u2192 {word}")
                self.nodes[place] = node._replace(lines=(first, *node.lines[1:]))

    def _arm_number(self, slot: Slot, arm: str) -> int:
        arms = slot.site.arms if slot.site is not None else ()
        return arms.index(arm) if arm in arms else len(arms)

    def _outputs(self) -> None:
        roots = seeds(self.record)
        for place, output in enumerate(self.record.outputs[:24]):
            identity, key = f"out{place}", ("output", output.name)
            name = one_line(output.name, 40)
            if output.tensor is None:
                text = value_text(output.value, 48)
                self.nodes.append(Node(identity, key, "output", name, "", (Line(text),)))
                continue
            lines = [Line(self.labels.tensors([self.record.tensors[output.tensor]]))]
            if output.tensor in roots:
                lines.append(Line(f"backward · seed {one_line(roots[output.tensor], 40)}", "gradient"))
            node = Node(identity, key, "output", name, "", tuple(lines), tensors=(output.tensor,))
            self.nodes.append(node)
            for op in self.slots.writes.makers_at_end(output.tensor):
                source = self.slots.op_slot[op] if op is not None else self.slots.leaf_slot.get(output.tensor)
                if source is not None:
                    self.edges.append(Edge(f"n{source}", identity, "data"))


def _draw_choices(slots: Slots) -> None:
    """Add an arrow from the op that made an index to what it chose; several indices show the index expression."""
    for by, op, name, index_text, number in slots.shapes.choices:
        source, target = slots.op_slot[by], slots.op_slot[op]
        if source != target:
            kind = "asked again" if slots.back(source, target, by, slots.record.ops[op].scope) else "predicate"
            words = f"chose {name}[{number}]"
            link = slots.link(source, target, kind, words)
            link.label = words if link.label == words else f"chose {name}[{index_text}]"
