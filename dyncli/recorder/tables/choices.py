"""Choices by index: from what an op picked to the ops that read, wrote or ran what was picked.

The indexes are followed forward through ops that keep them indexes: views, casts, comparisons with a number, `nonzero`.
An index that became a row of zeros and a one, or a mask of what was learned, also chooses where it is a factor.
A mask of which a test asks `any` or `all` is one, too.
A pick that no op uses, such as that of a class for the accuracy, is no choice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.events.picks import Pick
from dyncli.recorder.tables.assemble import Assembly
from dyncli.records.model import Choice, Op, Site

MOST_USES = 4  # ops of each choice
MOST_ROOTS = 4  # comparisons that one mask is made of, the last of more
MOST_TERMS = 3  # of a sum that is followed
#: Ops with an index or a mask among their operands, the first of which is what is indexed.
INDEXING = frozenset((
    "getitem", "index_put", "index_select", "index_add", "index_copy", "index_fill", "gather", "scatter", "scatter_add",
    "scatter_reduce", "take", "take_along_dim", "masked_select", "masked_scatter", "embedding",
))  # fmt: skip
#: Ops whose result is no index, though it is a whole number or a truth value.
ENDING = frozenset(("sum", "any", "all", "mean", "max", "min", "count_nonzero", "equal", "isin"))
REDUCING = frozenset(("any", "all"))  # whose result a test of a whole mask is
#: Ops that hand on what was picked as numbers of other types.
CARRYING = frozenset((
    "scatter", "one_hot", "to", "float", "getitem", "unsqueeze", "squeeze", "reshape", "T", "permute", "view", "expand",
    "transpose", "t", "flatten", "repeat", "detach", "clone", "contiguous", "unbind", "select", "chunk", "split",
))  # fmt: skip
#: Ops by which zeros and ones of an index, or a mask, keep some of what they are given and drop the rest.
WEIGHING = frozenset(("mul", "matmul", "mm", "bmm", "mv", "einsum", "linear", "where", "masked_fill"))
COMPARING = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "one_hot"))
LEFT = ("item", "__index__", "__int__", "tolist")


def choices(
    log: EventLog, assembly: Assembly, ops: Sequence[Op], deciding: Collection[int | None]
) -> tuple[Choice, ...]:
    """Return the choices of a run, in the order they were made.

    deciding: the ops whose results were tested.
    """
    picks = {assembly.index[number]: pick for number, pick in log.picks.items() if number in assembly.index}
    followed = _Followed(picks, assembly, deciding)
    lists = _lists(log, assembly)
    for op in ops:
        followed.run(op, lists)
    left = followed.left(log)
    roots = followed.roots.items()
    used = (seq for seq, pick in roots if seq in followed.uses or seq in left or pick.kind == "sample")
    places = {(ops[seq].site.id, followed.roots[seq].kind) for seq in used}
    return tuple(
        Choice(seq, *pick[:-1], uses=tuple(followed.uses.get(seq, ())), left=left.get(seq))
        for seq, pick in roots
        if (ops[seq].site.id, pick.kind) in places
    )


def _lists(log: EventLog, assembly: Assembly) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
    """Return by op what left as a list before it since the op before: (tensor, numbers)."""
    found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for number, how, value, *_, count in log.escapes:
        if how == "tolist" and isinstance(value, tuple) and number in assembly.index:
            found.setdefault(count, []).append((assembly.index[number], value))
    return found


class _Followed:
    """Tensors that hold what an op picked.

    roots: the picks, by op.  carried: by tensor, the ops that picked: several of a mask made of masks.
    uses: by the op that picked, the ops that indexed with it, or were given its zeros and ones, which are `weights`.
    learned: the tensors that parameters or inputs with gradients reach, under `no_grad` too.
    terms: by tensor, what it was added up from, each so many times; detached or not.
    """

    def __init__(self, picks: dict[int, Pick], assembly: Assembly, deciding: Collection[int | None]) -> None:
        self.picks, self.assembly, self.deciding = picks, assembly, deciding
        self.roots: dict[int, Pick] = {}
        self.carried: dict[int, tuple[int, ...]] = {}
        self.uses: dict[int, list[int]] = {}
        self.weights: set[int] = set()
        self.learned: set[int] = set()
        self.sizes: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.terms: dict[int, dict[int, int]] = {}

    def run(self, op: Op, lists: dict[int, list[tuple[int, tuple[int, ...]]]]) -> None:
        """Follow what was picked through one op."""
        for tensor, numbers in lists.get(op.seq, ()):
            if tensor in self.carried and len(numbers) > 1:
                self.sizes[numbers] = self.carried[tensor]
        name = op.name.rstrip("_")
        if self.sizes and name.startswith("split"):
            for given in self.assembly.recorded[op.seq].rest:
                if isinstance(given, (list, tuple)) and tuple(given) in self.sizes:
                    self._use(self.sizes[tuple(given)], op)
        roots = self._roots_of(op)
        if name in REDUCING and op.seq in self.deciding:
            self._use(roots, op)
        indexes = op.inputs[1:] if name in INDEXING else ()
        for each in indexes:
            if each in self.carried:
                self._use(self.carried[each], op)
        made_floats = (self.assembly.tensors[made].dtype.startswith(("float", "complex")) for made in op.outputs)
        if name in WEIGHING and any(made_floats):  # an op that raised made nothing
            for each in self.weights.intersection(op.inputs):
                self._use(self.carried[each], op)
        is_learned = any(each in self.learned or self.assembly.tensors[each].requires_grad for each in op.inputs)
        if is_learned:
            self.learned.update(op.outputs)
        for made in op.outputs:
            pick = self.picks.get(made)
            if pick is not None and (not roots or pick.kind != "mask"):
                self.roots[op.seq] = pick  # also a choice among what was chosen before
                self.carried[made] = (op.seq,)
                if pick.kind == "mask" and is_learned:
                    self.weights.add(made)
            elif roots and self._carries(op, name, made):
                self.carried[made] = roots
                if name in COMPARING or not self.weights.isdisjoint(op.inputs):
                    self.weights.add(made)
        if name == "detach" or (self.weights and name in ("add", "sub") and not op.args):
            self._add_up(op, name)

    def _add_up(self, op: Op, name: str) -> None:
        """Follow sums: `hard - soft.detach() + soft`, with the gradient of `soft`, is as much as `hard`."""
        total: dict[int, int] = {}
        for sign, each in zip((1, -1 if name == "sub" else 1), op.inputs):
            for term, times in self.terms.get(each, {each: 1}).items():
                total[term] = total.get(term, 0) + sign * times
        total = {term: times for term, times in total.items() if times}
        if len(total) > MOST_TERMS:
            return
        self.terms.update(dict.fromkeys(op.outputs, total))
        for term, times in total.items():
            if len(total) == times == 1 and term in self.weights:
                self.carried.update(dict.fromkeys(op.outputs, self.carried[term]))
                self.weights.update(op.outputs)

    def _roots_of(self, op: Op) -> tuple[int, ...]:
        """Return the ops whose picks the operands of an op carry; masks only where none carries an index or a draw."""
        carried = [root for each in op.inputs for root in self.carried.get(each, ())]
        index = next((root for root in carried if self.roots[root].kind != "mask"), None)
        return tuple(dict.fromkeys(carried))[-MOST_ROOTS:] if index is None else (index,)

    def _carries(self, op: Op, name: str, made: int) -> bool:
        """Return whether what an op made of picked indexes still stands for them."""
        dtype = self.assembly.tensors[made].dtype
        if name == "getitem" and op.inputs[0] not in self.carried:
            return False  # elements that were chosen, not indexes
        if name == "broadcast_tensors":
            return op.inputs[op.outputs.index(made)] in self.carried
        if name == "rsub" and len(op.inputs) == 1:
            return op.inputs[0] in self.weights  # 1 - mask
        return name in CARRYING or (name not in ENDING and (dtype == "bool" or "int" in dtype))

    def _use(self, roots: tuple[int, ...], op: Op) -> None:
        for root in roots:
            uses = self.uses.setdefault(root, [])
            if len(uses) < MOST_USES:
                uses.append(op.seq)

    def left(self, log: EventLog) -> dict[int, Site]:
        """Return by op where an index that it picked, or a list of them, first left for Python."""
        found: dict[int, Site] = {}
        for number, how, _, _, code, lasti, _ in log.escapes:
            tensor = self.assembly.index.get(number, -1)
            roots = self.carried.get(tensor, ()) if how in LEFT else ()
            if not roots or roots[0] in found or self.assembly.tensors[tensor].dtype == "bool":
                continue
            if self.roots[roots[0]].kind != "mask":
                found[roots[0]] = self.assembly.places.site(code, lasti)
        return found
