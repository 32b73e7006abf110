"""The request of a run: the options that `run`, `graph`, `trace` and the others share."""

from typing import NamedTuple


class Request(NamedTuple):
    """Request of a run.

    model, inputs, case, entry: as on the command line.  dtype: what floats become.
    grad_output: cotangents as text, as inputs are given; ones if empty.  timeout: seconds.
    steps: calls of `backward()` after which the run ends well.  quiet_stdout: the script's prints go to stderr.
    force: decisions to pin (`22=else`).  watch: look at every value and gradient on its way.
    sensitivity: how far the inputs are from other arms; trials: whether that is tried out, or else gradients of inputs
    of every size are kept.
    measure: keep what two runs are compared by.
    edges: keep what came back along every edge.  outline: only what ran, what was decided and what came to the leaves
    will be shown, no values or gradients on the way and no times.  saved: the record will be saved: keep all that any
    command shows of a saved record.  watches, breaks, patches: as on the command line.  arguments: the script's own.
    """

    model: str
    inputs: tuple[str, ...] = ()
    case: str | None = None
    entry: str | None = None
    dtype: str = "float32"
    seed: int = 0
    grad_output: tuple[str, ...] = ()
    no_grad: bool = False
    timeout: float | None = None
    max_ops: int | None = None
    steps: int | None = None
    quiet_stdout: bool = False
    force: tuple[str, ...] = ()
    watch: bool = False
    sensitivity: bool = False
    trials: bool = True
    measure: bool = False
    edges: bool = False
    outline: bool = False
    saved: bool = False
    watches: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()

    @property
    def baseline(self) -> "Request":
        """The same run with nothing forced, patched or watched."""
        return self._replace(force=(), watches=(), breaks=(), patches=(), sensitivity=False, quiet_stdout=False)
