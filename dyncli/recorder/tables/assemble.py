"""Builds the tables of a record from an event log: tensors, ops and backward passes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from sys import intern
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from dyncli import errors
from dyncli.recorder import naming
from dyncli.recorder.engine import SMALL, AccumulateGrad, Tensor, dtypes, wrap
from dyncli.recorder.events.collectors.edges import Edges
from dyncli.recorder.events.collectors.saved_memory import NOTHING
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.events.recorded_events import FunctionCall, Pass, WrittenView
from dyncli.recorder.events.rows import RecordedOp, shape_dtype
from dyncli.recorder.events.summary import WHOLE, Measured, one_of, summary
from dyncli.recorder.naming import Places
from dyncli.recorder.tables.tensors import Saved, aliases, arguments, read_through, rewritten, written_over
from dyncli.records.columns import Elements, Gradients, Kept, Shared, elements, integers
from dyncli.records.model import Backward, Gradient, Op, Stats, TensorSummary
from dyncli.records.sizes import size_bytes
from dyncli.script import paths, readers

Span = tuple[int, int]


def unrecorded(modes: Iterable[int], ops: int) -> tuple[Span, ...]:
    """Return (first, one after the last) of the ops of each `no_grad`, given `EventLog.grad_modes`.

    >>> unrecorded([~2, 5, ~5, 5, ~8], 9)
    ((2, 5), (8, 9))
    """
    found: list[Span] = []
    begun: int | None = None
    for at in (*modes, ops):
        if at < 0:
            begun = ~at if begun is None else begun
        elif begun is not None:
            if begun < at:
                found.append((begun, at))
            begun = None
    return tuple(found)


FITS = "a cotangent has the shape of its output"
DRAWING = frozenset(("rand", "randint", "randperm"))


def cotangents(given: Sequence[str], outputs: Sequence[tuple[str, Tensor]]) -> list[Tensor]:
    """Build one cotangent for each output: as given by name or in order, else ones.

    Raises InputError for a value that does not fit an output's shape.
    """
    named: dict[str, Any] = {}
    names = [name for name, _ in outputs]
    for position, text in enumerate(given):
        name, sign, value = text.partition("=")
        if sign and name.strip() in names:
            named[name.strip()] = _value(value)
        elif position < len(names):
            named[names[position]] = _value(text)
        else:
            raise errors.InputError(
                f"{len(given)} cotangents for {len(names)} output{'s' * (len(names) != 1)}",
                hint=f"the outputs that require grad are {errors.listing(names)}",
            )
    return [_fitted(name, named.get(name), output) for name, output in outputs]


def _value(text: str) -> Any:
    text = text.strip()
    if text.startswith("@") or (paths.is_file(text) and text[:1] not in "[{"):
        held = readers.read(text.removeprefix("@"))
        return held.value if held.whole is None else held.whole
    return readers.parse(text, "--grad-output")


def _fitted(name: str, value: Any, output: Tensor) -> Tensor:
    array = output._array
    if value is None:
        return wrap(np.ones(array.shape, array.dtype), None)
    try:
        made = np.asarray(value, dtype=array.dtype)
    except (TypeError, ValueError) as error:
        raise errors.InputError(f"`--grad-output` for `{name}` is no tensor: {error}", hint=FITS) from None
    if made.shape != array.shape:
        raise errors.InputError(
            f"`--grad-output` has shape {list(made.shape)}, `{name}` has shape {list(array.shape)}",
            hint=FITS,
        )
    return wrap(made, None)


def seed_text(array: Any) -> str:
    """Return what a backward started from, in words: `1`, `ones` or the values.

    >>> seed_text(np.array(2.0)), seed_text(np.ones(3)), seed_text(np.arange(2)), seed_text(np.zeros((4, 5)))
    ('2', 'ones', '[0, 1]', 'a cotangent of shape [4, 5]')
    >>> seed_text(np.arange(16)) == str(list(range(16))), seed_text(np.arange(17))
    (True, 'a cotangent of shape [17]')
    """
    if not array.ndim:
        return f"{array.item():g}"
    if bool(np.all(array == 1)):
        return "ones"
    if array.size <= SMALL:
        return str(np.asarray(array).tolist())
    return f"a cotangent of shape {list(array.shape)}"


if TYPE_CHECKING:
    from dyncli.recorder.tables.missing_gradients import Reasons

ELSEWHERE = "this backward did not come to it, another did"
CLEARED = "a hook cleared it during this backward"
WHOLE_PASSES = 4  # whose gradients are kept whole with histograms, as are those of the last; of others the statistics
UNUSED = "what was differentiated does not depend on it"


class Assembly:
    """Builds the tables.

    A tensor has one number in the event log and another in the record, its place in `tensors`.

    known: by the id of a tensor its name and role, for inputs, parameters and buffers.
    variables: by the id of a tensor the variable that holds it.
    paths: by the number of a parameter its path when a backward gave it a gradient.
    index: by the number of a tensor its number in the record.  same_as: by the number of a tensor that is another one
    under a second number, the other's.
    by_rank: by the rank of a node the op that recorded it.  leaf_ranks: by the rank of a leaf's node the leaf's number.
    """

    def __init__(
        self, log: EventLog, places: Places, known: Mapping[int, tuple[str, str]], variables: Mapping[int, str],
        paths: Mapping[int, str] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.log, self.places = log, places
        self.known, self.variables, self.paths = known, variables, paths
        self.tensors: list[TensorSummary] = []
        self.edges: list[tuple[int, int, int]] = []
        self.leaf_ranks = {
            leaf._edge.rank: number
            for number, reference in log.tensors.leaves.items()
            if (leaf := reference()) is not None and leaf._edge is not None
        }
        self.index: dict[int, int] = {}
        self.by_rank: dict[int, int] = {}
        self.functions: dict[int, FunctionCall] = {}
        self.recorded = [*log.ops]
        self.shared = Shared()
        self._kept = Kept(self.shared)
        self._numbers = [self.shared[number] for number in range(len(self.recorded))]
        self._saved = Saved(self.index, self.tensors)
        self.same_as = aliases(log)
        by_data = {*self.same_as}
        self._sources()
        self._produced()
        for number, leaf in self.log.tensors.grad_of.items():
            if number in self.index and leaf in self.index and (name := self.tensors[self.index[leaf]].name):
                self.name(self.index[number], f"{name}.grad")
        self.written = [*rewritten(self)]
        self.index.update({number: self.index[same] for number, same in self.same_as.items() if same in self.index})
        self.through_data = read_through(by_data, self.recorded, self.index) if by_data else frozenset()

    # -- tensors

    def add(self, array: Any, **more: Any) -> int:
        """Add a tensor that no op made, such as a gradient, and return its number."""
        number: int = self.shared[len(self.tensors)]
        self._append(summary(number, array, **more))
        return number

    def add_seen(self, seen: Any, shape: tuple[int, ...], dtype: Any, **more: Any) -> int:
        """Add a tensor of which only `seen` is known, and return its number."""
        number: int = self.shared[len(self.tensors)]
        self._append(_summary(number, seen, shape, dtype, more))
        return number

    def _append(self, tensor: TensorSummary) -> None:
        """Add a tensor, with its elements as they are kept."""
        values = tensor.values
        if isinstance(values, Elements):
            tensor = tensor._replace(values=self._kept.of(values))
        self.tensors.append(tensor)

    def _sources(self) -> None:
        over = written_over(self.recorded)
        over |= {self.same_as[number] for number in over if number in self.same_as}
        over.update(number for number, *_ in self.log.tensors.reassigned)
        for number, tensor in self.log.tensors.sources.items():
            same = self.same_as.get(number) or self._result_of_node(tensor)
            if same is not None:
                self.same_as[number] = same
                continue
            name, role = naming.source(tensor, self.known, self.variables)
            if role != "input" and id(tensor) not in self.known and number in self.paths:
                name, role = self.paths[number], "parameter"
            name = name or self.log.tensors.given.get(number)
            more: dict[str, Any] = {"name": name, "role": role, "requires_grad": tensor._edge is not None}
            former = self.log.writes.former.get(number)
            if former or number in over:
                seen = former[0][1] if former else self.log.tensors.first_values.get(number)
                place = self.add_seen(seen, tensor._array.shape, tensor._array.dtype, **more)
            else:
                place = self.add(tensor._array, **more)
            self.index[number] = place

    def _result_of_node(self, tensor: Tensor) -> int | None:
        """Return the number of the result that a node saved and returned as a new object, as under `create_graph`."""
        edge = tensor._edge
        if edge is None or edge.__class__ is AccumulateGrad:
            return None
        return self._results.get((edge.node.rank, edge.index))

    @cached_property
    def _results(self) -> dict[tuple[int, int], int]:
        """The number of each output of the nodes that ops recorded."""
        through = {(rank, 0): number for rank, number in self.log.writes.bases.items()}
        return through | {
            (recorded.rank, place): number
            for recorded in self.recorded
            if recorded.rank
            for place, (number, _) in enumerate(recorded.outputs)
        }

    def _produced(self) -> None:
        names = self._leaf_names()
        for seq, recorded in zip(self._numbers, self.recorded):
            if recorded.rank:
                self.by_rank.setdefault(recorded.rank, seq)  # not of a later op that gave it back as it is
            shares = self._shared(seq, recorded)
            for number, what in recorded.outputs:
                place = self.index[number] = self.shared[len(self.tensors)]
                name, role = names.get(number, (None, "intermediate"))
                shape, dtype = shape_dtype(what)
                graded = (bool(recorded.rank) or role == "input") and dtype.kind in "fc"
                more = {"name": name, "role": role, "requires_grad": graded, "op": seq, "shares": shares}
                seen = what
                if what.__class__ is tuple:
                    seen = self.log.inspected.get(number, what[2]) if len(what) > 2 else None
                self._append(_summary(place, seen, shape, dtype, more))
            if seq in self.log.writes.through_views:
                self._written_through(seq, self.log.writes.through_views[seq], names)
        for rank, one in self.log.functions.by_rank.items():
            if self.op_of(one.number) == one.last:  # whose forward ran unrecorded, and what it gave requires grad
                self.by_rank[rank], place = one.last, self.index[one.number]
                self.functions[one.last] = one
                self.tensors[place] = self.tensors[place]._replace(requires_grad=True)

    def _written_through(self, seq: int, through: WrittenView, names: Mapping[int, tuple[str | None, str]]) -> None:
        """Add the base tensor of the view that an op wrote, with its values after the write."""
        before = self.index.get(self.same_as.get(through.before, through.before))
        shape, dtype = shape_dtype(through.what)
        written = self.tensors[self.index[self.recorded[seq].outputs[0][0]]]
        graded = written.requires_grad or (before is not None and self.tensors[before].requires_grad)
        seen = through.what if through.what.__class__ is np.ndarray else None
        name, role = names.get(through.number, (None, "intermediate"))
        more = {"name": name, "role": role, "requires_grad": graded, "op": seq, "shares": before}
        self.index[through.number] = self.add_seen(seen, shape, dtype, **more)

    def _shared(self, seq: int, recorded: RecordedOp) -> int | None:
        """Return the tensor whose memory an op's outputs share."""
        view = recorded.op.view or recorded.op.name == "detach"
        looks = (view and seq not in self.log.writes.copied_views) or "_inplace" in recorded.kwargs
        return (
            self.index.get(self.same_as.get(recorded.inputs[0], recorded.inputs[0]))
            if recorded.inputs and looks
            else None
        )

    def _leaf_names(self) -> dict[int, tuple[str | None, str]]:
        """Name the leaves that the run itself created; of those without a name a backward sees how they were read."""
        found: dict[int, tuple[str | None, str]] = {n: (path, "parameter") for n, path in self.paths.items()}
        for number, reference in self.log.tensors.leaves.items():
            leaf = reference()
            if leaf is not None and (number not in found or id(leaf) in self.known):
                name, role = self.known.get(id(leaf), (self.variables.get(id(leaf)), "input"))
                found[number] = (name, role)
        for recorded in self.recorded:
            for number, *_ in recorded.outputs:
                if number in found and not found[number][0]:
                    found[number] = (self._assigned(recorded), found[number][1])
        return found

    def _assigned(self, recorded: RecordedOp) -> str | None:
        """Return the one name that the statement which ran an op assigns to."""
        site = self.places.site(recorded.code, recorded.lasti)
        return naming.assigned(recorded.code.co_filename, site.line, site.col)

    def name(self, number: int, name: str, role: str | None = None) -> None:
        """Name a tensor, unless it has a name."""
        tensor = self.tensors[number]
        if tensor.name is None or role is not None:
            self.tensors[number] = tensor._replace(name=tensor.name or name, role=role or tensor.role)

    def values(self, number: int, array: Any) -> None:
        """Store all values of a tensor that is shown whole: an output's at the end, an input's as given."""
        tensor = self.tensors[number]
        if tensor.values is None or tensor.op is not None:
            kept = summary(number, array, whole=WHOLE)
            self.tensors[number] = tensor._replace(values=kept.values, stats=kept.stats, digest=kept.digest)

    def of(self, tensor: Tensor) -> int:
        """Return the number of a live tensor, adding it if no op made or used it."""
        number = self.log.tensors.number(tensor)
        if number not in self.index:
            name, role = naming.source(tensor, self.known, self.variables)
            self.index[number] = self.add(tensor._array, name=name, role=role, requires_grad=tensor._edge is not None)
        return self.index[number]

    def op_of(self, number: int) -> int | None:
        """Return the op that made the tensor with this number of the event log."""
        place = self.index.get(number)
        return None if place is None else self.tensors[place].op

    def is_drawn(self, number: int) -> bool:
        """Return whether chance alone made the numbers of a tensor: no data say how likely each is."""
        op = self.op_of(number)
        return op is not None and naming.op_name(self.recorded[op].op) in DRAWING

    # -- ops

    def ops(self, scopes: list[int], under: list[int | None]) -> tuple[Op, ...]:
        """Build the ops, with the scope and the controlling decision of each."""
        backward_ns = self._backward_times()
        return tuple(
            self._op(seq, recorded, scopes[seq], under[seq], phase, backward_ns.get(seq))
            for seq, recorded, phase in zip(self._numbers, self.recorded, self.log.phases, strict=True)
        )

    def _backward_times(self) -> dict[int, int]:
        """Return how long the backward of each op ran, without the ops and the passes that ran inside it."""
        found: dict[int, int] = {}
        around: list[tuple[int, int | None]] = []  # the end of each span that is open, and its op
        for started, end, seq in sorted(self._backward_spans(), key=lambda span: (span[0], -span[1])):
            while around and around[-1][0] <= started:
                around.pop()
            if around and end <= around[-1][0] and (outer := around[-1][1]) is not None:  # not of another thread
                found[outer] -= end - started
            if seq is not None:
                found[seq] = found.get(seq, 0) + end - started
            around.append((end, seq))
        return found

    def _backward_spans(self) -> Iterator[tuple[int, int, int | None]]:
        """Yield start and end of each node that ran, with its op, and of each op that ran during a backward."""
        for one in self.log.backward.passes:
            for rank, _, started, ended in one.nodes:
                yield started, ended, self.op_of_node(rank)
        for recorded, phase in zip(self.recorded, self.log.phases, strict=True):
            if phase == "backward":
                yield recorded.started, recorded.ended, None

    def op_of_node(self, rank: int) -> int | None:
        """Return the op that recorded the node with this rank, itself or as a step of a composite op."""
        found = self.by_rank.get(rank)
        return self.log.steps.get(rank) if found is None else found

    def _op(
        self, seq: int, recorded: RecordedOp, scope: int, under: int | None, phase: str, backward_ns: int | None
    ) -> Op:
        inplace = "_inplace" in recorded.kwargs
        name = naming.op_name(recorded.op)
        kept = self.log.saved.get(seq, NOTHING)
        own = self.functions.get(seq)
        if kept.packed:
            saved = tuple(sorted({self.index[number] for number in kept.numbers if number in self.index}))
        else:
            saved = self._saved.of(recorded, kept.numbers if own is None else own.saved) if recorded.rank or own else ()
        shared = self.shared
        inputs = shared[tuple([self.index[number] for number in recorded.inputs if number in self.index])]
        outputs = shared[tuple([self.index[number] for number, *_ in recorded.outputs])]
        return Op(
            seq,
            name + "_" if inplace and not recorded.op.name.endswith("_") else name,
            inputs,
            outputs,
            self.places.site(recorded.code, recorded.lasti),
            # `drawn` has words of ours where other ops have arguments
            arguments(() if recorded.op.name == "drawn" else recorded.rest, recorded.kwargs),
            scope,
            under,
            phase,
            shared[recorded.ended - recorded.started],
            backward_ns if backward_ns is None else shared[backward_ns],
            shared[sum([size_bytes(self.tensors[place]) for place in saved]) + kept.size_bytes],
            recorded.op.default_title if recorded.rank else own and own.title,
            inplace,
            recorded.error,
            max(0, recorded.started - self.log.started),
            shared[saved],
        )

    # -- backward

    def backwards(self, reasons: Callable[[], Reasons]) -> tuple[Backward, ...]:
        """Return every backward pass with the gradients of leaves and ops; `reasons` makes what explains a None."""
        return tuple(self._backward(number, one, reasons) for number, one in enumerate(self.log.backward.passes))

    def _gradient(self, of: int, seen: Any) -> int:
        """Add the gradient of a tensor and return its number."""
        shape, dtype = self.tensors[of].shape, getattr(dtypes, self.tensors[of].dtype).numpy
        return self.add_seen(seen, shape, dtype, role="gradient")

    def _intermediates(self, one: Pass) -> list[tuple[int, int]]:
        """Add the gradients of intermediate values; return (tensor, gradient) of each."""
        found = []
        for rank, seen, *_ in one.nodes:
            if seen is not None and self._has_one_tensor(rank) and (into := self._target(rank, 0)) is not None:
                found.append((into, self._gradient(into, seen)))
        parts = one.nodes.parts
        for rank, place, seen in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            if (into := self._target(rank, place)) is not None:
                found.append((into, self._gradient(into, seen)))
        return found

    def _add_bad_edges(self, one: Pass) -> None:
        """Add as edges the gradients that went bad in a node: NaN or Inf that it handed on and had not got."""
        pieces = one.nodes.bad
        gots = {rank: got for rank, got, _, _ in one.nodes} if pieces else {}
        for rank, target, index, piece in zip(*[pieces[place::4] for place in range(4)], strict=True):
            got = gots[rank]
            seq = self.op_of_node(rank)
            if seq is None or got is None or _badness(piece) <= _badness(got):
                continue
            place = self._target(target, index)
            if place is not None:
                self.edges.append((seq, place, self._gradient(place, piece)))

    def _add_edges(self, one: Pass) -> None:
        """Add as edges all that ops handed to their inputs; to an input read twice the sum, where that is known."""
        pieces = one.nodes.along
        handed: dict[tuple[int, int], Any] = {}
        for rank, target, index, piece in zip(*[pieces[place::4] for place in range(4)], strict=True):
            seq, place = self.op_of_node(rank), self._target(target, index)
            if seq is not None and place is not None:
                arrays = isinstance(piece, np.ndarray) and isinstance(handed.get((seq, place)), np.ndarray)
                first = (seq, place) not in handed
                handed[seq, place] = piece if first else handed[seq, place] + piece if arrays else None
        for (seq, place), piece in handed.items():
            if piece is not None:
                self.edges.append((seq, place, self._gradient(place, piece)))

    def _has_one_tensor(self, rank: int) -> bool:
        """Return whether the node of this rank belongs to one tensor.

        The only output of an op, or what it wrote into.
        """
        seq = self.by_rank.get(rank)
        return rank in self.log.writes.bases or (seq is not None and len(self.recorded[seq].outputs) == 1)

    def _target(self, rank: int, index: int) -> int | None:
        """Return the tensor that received a gradient: an op's output, the base it wrote into, or a leaf."""
        if rank in self.leaf_ranks:
            return self.index.get(self.leaf_ranks[rank])
        if rank in self.log.writes.bases:
            return self.index.get(self.log.writes.bases[rank])
        seq = self.by_rank.get(rank)
        outputs = self.recorded[seq].outputs if seq is not None else ()
        return self.index.get(outputs[index][0]) if index < len(outputs) else None

    @cached_property
    def _graded(self) -> set[int]:
        """The numbers of the leaves that a `backward()` gave a gradient."""
        passes = [one for one in self.log.backward.passes if one.by == "backward"]
        return {each.number for one in passes for each in one.leaves if each.own is not None}

    @cached_property
    def _reads(self) -> dict[int, list[int]]:
        """The ops that read each leaf that no name leads to, by the leaf's number."""
        leaves = {each.number for one in self.log.backward.passes for each in one.leaves}
        nameless = {n for n in leaves if n in self.index and self.tensors[self.index[n]].name is None}
        found: dict[int, list[int]] = {number: [] for number in nameless}
        for seq, recorded in enumerate(self.recorded) if nameless else ():
            for number in nameless.intersection(recorded.inputs):
                found[number].append(seq)
        return found

    def _read_as(self, number: int) -> str | None:
        """Return what the first op that read a leaf calls it: `w` of `x @ w`, whose variable may have another since."""
        for seq in self._reads.get(number, ())[:1]:
            one = self.recorded[seq]
            file, text = one.code.co_filename, self.places.site(one.code, one.lasti).text
            return naming.operand(text, one.inputs.index(number), len(one.inputs), naming.imported(file))
        return None

    def _is_read_since(self, number: int, number_of_pass: int) -> bool:
        """Return whether an op read a leaf between the pass before and this one, or has a name to be known by."""
        reads, passes = self._reads.get(number), self.log.backward.passes
        first = passes[number_of_pass - 1].after if number_of_pass else 0
        return reads is None or any(first <= seq < passes[number_of_pass].after for seq in reads)

    @cached_property
    def _last_passes(self) -> list[Pass]:
        """The last pass, and the last `backward()`, which is the one that is shown."""
        passes = self.log.backward.passes
        return [*passes[-1:], *[one for one in passes if one.by == "backward"][-1:]]

    def _elsewhere(self, number: int, one: Pass) -> str | None:
        """Return the reason where another pass gave a leaf a gradient, and this one, which ended well, did not."""
        return ELSEWHERE if number in self._graded and not one.raised else None

    def _backward(self, number_of_pass: int, one: Pass, reasons: Callable[[], Reasons]) -> Backward:
        site = self.places.site(one.code, one.lasti)
        gradients, idle = [], set()
        is_whole = number_of_pass < WHOLE_PASSES or one in self._last_passes
        kept: Any = {} if is_whole else {"whole": SMALL, "bins": 0}
        for number, own, held, passes, is_updated, is_frozen in one.leaves:
            if number not in self.index or number in self.same_as or (is_frozen and number not in self._graded):
                continue
            place = self.index[number]
            tensor = self.tensors[place]
            name = tensor.name or (tensor.op is not None and self._assigned(self.recorded[tensor.op])) or None
            name = name or self._read_as(number) or f"t{place}"
            if own is None and (tensor.role == "parameter" or not self._is_read_since(number, number_of_pass)):
                idle.add(place)
            role = "parameter" if tensor.role == "parameter" else "input"
            self.name(place, name)
            label = intern(f"{name}.grad")
            own_name = label if held is None else None
            value = None if own is None else self.add(own, role="gradient", name=own_name, **kept)
            total = None if held is None else self.add(held, role="gradient", name=label, **kept)
            why = None
            if value is None:
                why = UNUSED if one.by == "grad" else CLEARED if not passes else self._elsewhere(number, one)
                why = why or reasons()(place, bool(one.raised))
            gradients.append(Gradient(name, place, role, value, why, total, max(passes, 1), is_updated))
        graded = {gradient.name for gradient in gradients if gradient.value is not None}
        gradients = [each for each in gradients if each.tensor not in idle or each.name not in graded]  # bound anew
        gradients.sort(key=lambda g: (g.role != "input",))
        pairs = self._intermediates(one)
        names = {tensor: name for tensor, _ in pairs if (name := self.tensors[tensor].name)}
        (self._add_edges if self.log.has(Edges) else self._add_bad_edges)(one)
        ran = [
            (seq, started, ended)
            for rank, _, started, ended in one.nodes
            if (seq := self.op_of_node(rank)) is not None
        ]  # fmt: skip
        return Backward(
            seq=number_of_pass,
            site=None if site.file.startswith("<") or _is_ours(one.code.co_filename) else site,
            root=self.index.get(one.roots[0]) if one.roots else None,
            seed=seed_text(one.seeds[0]) if one.seeds else "",
            gradients=Gradients(gradients, pairs, names),
            elapsed_ns=one.ended - one.started,
            started_ns=max(0, one.started - self.log.started),
            after=one.after,
            nodes=integers([seq for seq, _, _ in ran]),
            nodes_started_ns=integers([max(0, started - self.log.started) for _, started, _ in ran]),
            nodes_elapsed_ns=integers([ended - started for _, started, ended in ran]),
            by=one.by,
            failed=(failed := self.op_of_node(one.failed)),
            error=None if failed is None else one.error,
        )


def _summary(place: int, seen: Any, shape: tuple[int, ...], dtype: Any, more: dict[str, Any]) -> TensorSummary:
    """Return what is known of a tensor.

    All of a small array, else what was taken of it: statistics, a digest, the norm.
    """
    if isinstance(seen, np.ndarray | np.generic):
        return summary(place, seen, whole=WHOLE if more.get("op") is None else SMALL, **more)
    name = dtypes.of(dtype).name
    if isinstance(seen, Measured):
        values = None if seen.kept is None else elements(seen.kept)
        digest = None if values is not None else seen.digest
        return TensorSummary(place, one_of(tuple(shape)), name, values=values, stats=seen.stats, digest=digest, **more)
    stats = Stats(norm=seen) if seen.__class__ is float else seen if isinstance(seen, Stats) else None
    return TensorSummary(place, one_of(tuple(shape)), name, stats=stats, **more)


def _badness(seen: Any) -> int:
    """Rank values: 0 if all are finite, 1 if some are infinite, 2 if some are NaN."""
    if isinstance(seen, Measured):
        seen = seen.stats
    if isinstance(seen, Stats):
        return 2 if seen.nan else 1 if seen.inf else 0
    return 0 if np.isfinite(seen).all() else 2 if np.isnan(seen).any() else 1


def _is_ours(file: str) -> bool:
    return file.replace("\\", "/").endswith("/dyncli/recorder/recorder.py")
