"""The immutable account of one run: plain values only, no arrays, no tensors, no clocks outside `*_ns`.

Everything a view may show is here. Numbers index the tuples of `Record`: an op's `inputs` are tensor numbers, a
decision's `under` is a decision's number, a scope's `parent` a scope's. -1 is never used; absent is None.
A class is a NamedTuple: a dataclass costs six times as much at import and five times as much to make.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dyncli.records.text import printable

SCHEMA = 2

Scalar = None | bool | int | float | str
Value = Scalar | tuple["Value", ...] | dict[str, "Value"]


class Site(NamedTuple):
    """A place in the source: a test, a loop, a call of an op.

    id: 12 hex digits, the same on every machine and after lines were inserted above.  line: from 1.
    col, end_col: from 0, in UTF-8 bytes.  text: the source of the expression, white space collapsed.
    kind: `op`, or a kind of decision (SCHEMA.md has the table).
    arms: the ways on from here;  arm_lines: first and last line of each arm's body, None where it has none.
    parent, parent_arm: the site and arm this one stands in, lexically.
    """

    id: str
    file: str
    line: int
    col: int
    end_line: int
    end_col: int
    kind: str
    text: str
    function: str
    arms: tuple[str, ...] = ()
    arm_lines: tuple[tuple[int, int] | None, ...] = ()
    parent: str | None = None
    parent_arm: str | None = None

    def __repr__(self) -> str:
        return printable(f"<Site {self.file}:{self.line} {self.text}>")


class Condition(NamedTuple):
    """One comparison or truth test inside a decision, only if it was really evaluated.

    op: the operator as written (`>`, `in`, `is not`, ...), or None for a bare truth test, whose operand is `value`.
    margin: how far the tested quantity is from flipping this condition, signed so that positive means True.
    other_ops: what produced the rest of the tested values, where they are several numbers: `a.item() < b.item()`.
    compared: the source of the comparison whose result was tested, if it stands elsewhere: op and sides are its.
    """

    text: str
    op: str | None
    lhs: Value
    rhs: Value
    value: Value
    outcome: bool
    margin: float | None = None
    origin: str = "python"
    predicate_op: int | None = None
    other_ops: tuple[int, ...] = ()
    compared: str | None = None

    @property
    def source(self) -> str:
        """The source of what was compared or tested, wherever it stands."""
        return self.compared or self.text


class Decision(NamedTuple):
    """One evaluated test and the arm it took.

    outcome: bool for a test, the case or handler number for `match` and `try`, the trip count for `for` and `comp`.
    origin: `tensor`, `scalar` (a Python number that came out of a tensor), `scalar~` (inferred so), `shape`, `rng`,
    `rng~` (inferred so) or `python`: the strongest of the conditions'.
    iteration: of a `while` test, from 0.  trips, exit: of a loop; exit is exhausted, break, return, raise or stopped.
    iterations: ((line of the enclosing loop, index), ...), outermost first.  call_path: functions, outermost first.
    recursion: how many call frames of the same function lie below this one on the stack.
    under: the decision that let this one run.  predicate_op: the op that produced the tested value.
    phase: load, forward, backward or recompute.  until: of a loop, how many decisions had been made when it ended.
    moved_by: of a test on Python values in whose arm a loop was left, the ids of the tests on data in whose arms these
    values were set, as far as the source shows.
    """

    seq: int
    site: Site
    arm: str
    outcome: bool | int
    origin: str = "python"
    iteration: int | None = None
    trips: int | None = None
    exit: str | None = None
    iterations: tuple[tuple[int, int], ...] = ()
    call_path: tuple[str, ...] = ()
    recursion: int = 0
    under: int | None = None
    conditions: tuple[Condition, ...] = ()
    margin: float | None = None
    predicate_op: int | None = None
    exception: str | None = None
    phase: str = "forward"
    forced: bool = False
    scope: int = 0
    until: int | None = None
    moved_by: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        margin = "" if self.margin is None else f", margin {self.margin:.4g}"
        place = f"{self.site.file}:{self.site.line}"
        return printable(f"<Decision {self.seq} at {place}: {self.site.text} -> {self.arm}{margin}>")

    @property
    def producers(self) -> set[int]:
        """The ops that produced what was tested."""
        found = {self.predicate_op}
        for condition in self.conditions:
            found.update((condition.predicate_op, *condition.other_ops))
        return {op for op in found if op is not None}


class Choice(NamedTuple):
    """Elements that an op picked by value, where the pick decided what was read, written or run.

    op: what picked, such as `topk`.  kind: index, mask or sample.  of: the elements of a mask, else the candidates.
    counts: how often each index was picked, from 0 on; of a mask, how many elements were False and True; empty where
    there are more than 256, and of an order.  picked: the first 16 indexes in C order.  probabilities: of these, in a
    sample.  margin: the least distance of a picked score from the best one left, or of unequal values that a mask
    compared.  uses: the first 4 ops that indexed with it, or kept and dropped by it.
    left: where one of its indexes left for Python first.
    """

    op: int
    kind: str
    of: int
    counts: tuple[int, ...] = ()
    picked: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()
    margin: float | None = None
    uses: tuple[int, ...] = ()
    left: Site | None = None


class Scope(NamedTuple):
    """Place where something ran; `parent` leads up to the root, number 0.

    kind: root, call, module, iteration or arm.
    name: the function, module path, or arm.  index: the iteration, from 0.  decision: of an arm, the decision that
    chose it; of an iteration, the loop's decision.
    """

    id: int
    parent: int | None
    kind: str
    name: str
    site: Site | None = None
    index: int | None = None  # type: ignore[assignment]
    decision: int | None = None


class Calls(NamedTuple):
    """Number of calls of a function; `line` is where its `def` or `lambda` stands.

    times: 0 if it was called only before the run, while the script was loaded.
    returned: how many of the calls returned, rather than raised, or were still running when the run ended.
    """

    file: str
    line: int
    function: str
    times: int
    returned: int


class Stats(NamedTuple):
    """Statistics of a tensor's elements.

    `nan`, `inf` and `zeros` are counts, `histogram` up to 8 bin counts from min to max.
    Where only the norm was taken, of a larger tensor on its way, min, max and mean are None and zeros are not counted.
    """

    min: float | None = None
    max: float | None = None
    mean: float | None = None
    norm: float | None = None
    zeros: int = 0
    nan: int = 0
    inf: int = 0
    histogram: tuple[int, ...] = ()


class TensorSummary(NamedTuple):
    """A tensor as it was when it was recorded.

    role: input, parameter, buffer, constant, intermediate or gradient.  name: `x`, `tree.left.value`, `fc1.weight`, ...
    values: all elements, flat and in C order, or None where only `stats` were kept.  op: the op that made it.
    shares: the tensor whose memory it looks at, of a view or what an in-place op wrote.
    digest: of elements that were not kept: 16 digits that differ where the elements do.
    """

    id: int
    shape: tuple[int, ...]
    dtype: str
    role: str = "intermediate"
    name: str | None = None
    requires_grad: bool = False
    values: Sequence[Scalar] | None = None
    stats: Stats | None = None
    op: int | None = None
    shares: int | None = None
    digest: str | None = None


class Op(NamedTuple):
    """One recorded tensor operation.

    args: its other arguments as text (`2`, `dim=1`).  under: the decision it ran under.  scope: where it ran.
    started_ns: from the start of the run.  saved: the tensors held for backward; saved_bytes: their size and that of
    what else is held.  grad_fn: the node's name, or None when nothing was recorded for backward.
    backward_ns: of all passes, None until the node ran.  error: the message if it raised.
    """

    seq: int
    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    site: Site
    args: str = ""
    scope: int = 0
    under: int | None = None
    phase: str = "forward"
    elapsed_ns: int = 0
    backward_ns: int | None = None
    saved_bytes: int = 0
    grad_fn: str | None = None
    inplace: bool = False
    error: str | None = None
    started_ns: int = 0
    saved: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return printable(f"<Op {self.seq} {self.name} at {self.site.file}:{self.site.line}>")


class Output(NamedTuple):
    """A value the entry returned: a tensor by number, or a plain value shown as it is."""

    name: str
    tensor: int | None = None
    value: Value = None


class Gradient(NamedTuple):
    """Gradient that came back to `tensor` in a backward.

    value: the tensor that holds it, or None, and then `reason` says why.
    role: input, parameter, or intermediate (a `retain_grad`, or the gradient of an op's output where it was recorded).
    held: the tensor that holds what `.grad` was after it, where that is the sum of `passes` backwards.
    is_updated: whether the leaf was written between two of these, and again with their sum.
    """

    name: str
    tensor: int
    role: str
    value: int | None = None
    reason: str | None = None
    held: int | None = None
    passes: int = 1
    is_updated: bool = False


class Backward(NamedTuple):
    """One `backward()`: `seed` says what it started from (`1`, `ones`, or the cotangent's values as text).

    by: `backward`, which leaves gradients in leaves, or `grad` (`autograd.grad`), which returned them.
    failed, error: the op whose node raised, and the message, of a pass that was ended so.
    after: how many ops had run.  nodes: the ops whose nodes ran, in that order; when each began and how long it took is
    in `nodes_started_ns` and `nodes_elapsed_ns`.
    """

    seq: int
    site: Site | None
    root: int | None
    seed: str
    gradients: Sequence[Gradient] = ()
    elapsed_ns: int = 0
    started_ns: int = 0
    after: int = 0
    nodes: Sequence[int] = ()
    nodes_started_ns: Sequence[int] = ()
    nodes_elapsed_ns: Sequence[int] = ()
    by: str = "backward"
    failed: int | None = None
    error: str | None = None


class Reach(NamedTuple):
    """Distance of one input from flipping a test.

    gradient: of the margin, flat and in C order.  step: its part of the nearest change of all inputs together, to first
    order.  element, change: the index of the element that needs to change least if it changes alone, and by how much.
    flips: whether a run with that element changed went the other way; None if none was made.
    gradient and step are None for a large input.
    """

    name: str
    tensor: int
    gradient: tuple[Scalar, ...] | None
    step: tuple[Scalar, ...] | None
    element: tuple[int, ...] = ()
    change: float | None = None
    flips: bool | None = None


class Sensitivity(NamedTuple):
    """Distance of the inputs from flipping a condition of a decision.

    condition: its place among the evaluated ones, None for a decision without a margin.
    margin: as the condition's, also of tests on boolean tensors.
    distance: the length of the nearest change, to first order: |margin| / |gradient|.
    flips: whether a run with that change, or the least more, went the other way; None if none was made.
    factor: at how many times that change a run did.  becomes: what the test was with it.
    reason: why there is no gradient; one that no tensor bears stands for all decisions of its site.
    """

    decision: int
    condition: int | None = None
    margin: float | None = None
    distance: float | None = None
    inputs: tuple[Reach, ...] = ()
    flips: bool | None = None
    factor: float | None = None
    becomes: str | None = None
    reason: str | None = None


class Notice(NamedTuple):
    """An event that was asked for: kind is watch, stop or patch.

    name: the variable, the condition or line, or the patch as it was written.  value: in words, the watched value, the
    one that was replaced, or the name of the op after which the run stopped, whose number is `op`.
    """

    kind: str
    name: str
    file: str
    line: int
    function: str
    value: str | None = None
    op: int | None = None


class Frame(NamedTuple):
    """One of the user's own frames in a traceback."""

    file: str
    line: int
    function: str
    text: str


class Failure(NamedTuple):
    """Why a run ended early: the exception's type, its message, its notes, the user's frames, the op that failed."""

    type: str
    message: str
    notes: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    op: int | None = None


class Source(NamedTuple):
    """A script file as it was run; `digest` is its blake2b, 16 hex digits."""

    file: str
    digest: str
    text: str


class Record(NamedTuple):
    """The whole account.  status: ok, error, timeout, limit or interrupted.

    tensors, ops, decisions, scopes: each item's number is its index.  sites: every site of the scripts, reached or not.
    loading: what was decided before the entry was called, while the script was loaded; numbered by itself.
    choices: what ops picked by value to be read, written or run.
    calls: every function that was called.
    edges: gradients that flowed along op edges, as (op, input tensor, gradient tensor), where they were recorded.
    written: values that tensors got from what is no op, such as an optimizer's step, where they were looked at, as
    (tensor, the first op that may have read it, the tensor that stands for the value).
    unrecorded: the ops that ran under `no_grad` or its like, as (the first, the one after the last).
    signature: a hash of the path, the same on every machine.  forced: the arms that were forced (`22=else`).
    sensitivities: how far the inputs are from flipping each test, where that was asked for.
    notices: what `--watch`, `--break` and `--patch` saw, in order.
    warnings: what the user should know (`seeded with ones`).
    """

    model: str
    entry: str
    status: str = "ok"
    case: str | None = None
    seed: int = 0
    dtype: str = "float32"
    sources: tuple[Source, ...] = ()
    versions: dict[str, str] = {}  # noqa: RUF012 - nobody writes into a record
    sites: tuple[Site, ...] = ()
    scopes: Sequence[Scope] = ()
    calls: tuple[Calls, ...] = ()
    tensors: tuple[TensorSummary, ...] = ()
    ops: tuple[Op, ...] = ()
    decisions: tuple[Decision, ...] = ()
    loading: tuple[Decision, ...] = ()
    choices: tuple[Choice, ...] = ()
    inputs: tuple[Output, ...] = ()
    outputs: tuple[Output, ...] = ()
    backwards: tuple[Backward, ...] = ()
    edges: tuple[tuple[int, int, int], ...] = ()
    written: tuple[tuple[int, int, int], ...] = ()
    unrecorded: tuple[tuple[int, int], ...] = ()
    signature: str = ""
    forced: tuple[str, ...] = ()
    sensitivities: tuple[Sensitivity, ...] = ()
    notices: tuple[Notice, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: Failure | None = None
    elapsed_ns: int = 0
    schema: int = SCHEMA
    processor_ns: int = 0
