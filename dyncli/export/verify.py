"""A model is checked in ONNX Runtime before its file exists: on every case, and on inputs between and around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from dyncli.export.build import Built
from dyncli.export.engine import NotRecorded, Rounding, compiled
from dyncli.export.runs import Case, Run, Subject
from dyncli.script.convert import Bound, Leaf, map_tree

_TOLERANCE = {"float16": (1e-2, 1e-2), "float32": (2e-4, 1e-3), "float64": (1e-8, 1e-6)}
PROBES = ("right", "not captured", "near a threshold", "error")
ROUNDED = "rounding decides, as runs with other last digits show, at"
_NUDGES = (2, 8, 8, 32, 32, 128, 128, 512, 512, 2) * 4  # units in the last place
#: Ops that another runtime may round otherwise: all but those whose result IEEE 754 fixes.
_NAMES = """
acos acosh adaptive_avg addmm addmv addr arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2
atanh avg_windows baddbmm batch_norm_with bilinear binary_cross_entropy celu contract convolution cos cosh cumsum dist
elu erf erfc exp exp2 expm1 float_power gelu group_norm gru_hidden_state hypot index_add kl_div layer_norm lerp
linalg_vector_norm linear log log10 log1p log2 log_softmax logaddexp logit logsigmoid logsumexp lstm_cell_state
lstm_hidden_state lstm_sequence matmul mean mish mse_loss nanmean nansum normalize outer pow prod rms_norm rsqrt
scaled_dot_product_attention scatter_add selu sigmoid silu sin sinc sinh smooth_l1_loss softmax softplus softsign std
sum sum_along tan tanh trace var xlogy
"""
INEXACT = frozenset(_NAMES.split())
REPEATS, MOST_SECONDS = 5, 2.0  # of what is timed
CLOSE = 1e-4  # compared numbers that are nearer than this may be rounded to different sides


@dataclass(frozen=True, slots=True)
class Times:
    """Microseconds of a call in Python, replayed by the engine, and in ONNX Runtime; None for what is not replayed."""

    eager_us: float
    replay_us: float | None
    runtime_us: float


@dataclass(slots=True)
class Verdict:
    """The result of all comparisons.  wrong: sentences, empty for a right model.  probes: by what came out."""

    cases: int = 0
    wrong: list[str] = field(default_factory=list)
    largest: float = 0.0
    margin: float | None = None
    probes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PROBES, 0))
    times: Times = field(default_factory=lambda: Times(0.0, None, 0.0))


class Session:
    """A model in ONNX Runtime."""

    def __init__(self, path: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._outputs = [each.name for each in self._session.get_outputs()]

    def __call__(self, case: Case) -> dict[str, Any]:
        """Return the outputs for one case."""
        numbers = {n: np.asarray(v, np.float64 if isinstance(v, float) else np.int64) for n, v in case.numbers.items()}
        given = {name: each for name, each in {**case.arrays, **numbers}.items() if name in self._inputs}
        feed = {name: np.ascontiguousarray(each).reshape(np.shape(each)) for name, each in given.items()}
        return dict(zip(self._outputs, self._session.run(None, feed)))


def verify(subject: Subject, built: Built, path: Path, *, fail: bool, probes: int, seed: int) -> Verdict:
    """Compare the model at `path` with eager runs."""
    verdict = Verdict()
    session = Session(path)
    verdict.margin = min((each for run in built.runs for each in _margins(run)), default=None)
    for number, run in enumerate(built.runs):
        expected = subject.eager(run.case)
        name = run.case.bound.case or str(number + 1)
        try:
            found = session(run.case)
        except Exception as error:
            verdict.wrong.append(f"case {name}: {str(error).splitlines()[0][:300]}")
            continue
        verdict.cases += 1
        wrong = [] if found["captured"] else ["captured is False"]
        wrong += differences(expected, found, subject.dtype, verdict)
        line = rounding_decides(subject, run.case) if wrong else None
        verdict.wrong += [f"case {name}: {each}" for each in (wrong if line is None else [f"{ROUNDED} {line}"])]
    if not verdict.wrong:
        _probe(subject, built, session, verdict, fail=fail, probes=probes, seed=seed)
    if not verdict.wrong:
        verdict.times = _times(subject, session, [run.case for run in built.runs])
    return verdict


def _times(subject: Subject, session: Session, cases: list[Case]) -> Times:
    """Return the time of the fastest of some calls, the mean over the first cases."""
    replayed = compiled(subject.plain)
    fastest: list[list[float]] = []
    started, replays, calls = perf_counter(), 0, 0
    for case in cases:
        with subject.calling(case) as call:
            ways = [partial(call, subject.plain), partial(call, replayed), partial(session, case)]
            for _ in range(2):  # it is recorded, and replayed for the first time
                call(replayed)
            before = replayed.explain().hits
            fastest.append([min(each) for each in zip(*([_seconds(way) for way in ways] for _ in range(REPEATS)))])
            replays, calls = replays + replayed.explain().hits - before, calls + REPEATS
        if perf_counter() - started > MOST_SECONDS:
            break
    eager, replay, runtime = (1e6 * sum(each) / len(fastest) for each in zip(*fastest))
    return Times(eager, replay if replays == calls else None, runtime)


def _seconds(way: Callable[[], Any]) -> float:
    started = perf_counter()
    way()
    return perf_counter() - started


def differences(
    expected: dict[str, Any], found: dict[str, Any], dtype: str, verdict: Verdict | None = None
) -> list[str]:
    """Return what differs between eager outputs and those of a model that computes in `dtype`."""
    wrong = []
    for name, each in expected.items():
        if not isinstance(each, np.ndarray):
            continue
        other = found[name]
        if each.shape != other.shape:
            wrong.append(f"`{name}` has shape {list(other.shape)}, not {list(each.shape)}")
            continue
        if each.dtype.kind != "f":
            if not np.array_equal(each, other):
                wrong.append(f"`{name}` differs")
            continue
        absolute, relative = max(_TOLERANCE[each.dtype.name], _TOLERANCE[dtype])
        with np.errstate(all="ignore"):
            away = np.abs(other.astype(np.float64) - each.astype(np.float64))
        away = np.where((each == other) | (np.isnan(each) & np.isnan(other)), 0, away)
        if verdict is not None and away.size:
            verdict.largest = max(verdict.largest, float(np.nan_to_num(away, nan=np.inf).max()))
        allowed = np.where(np.isfinite(each), absolute + relative * np.abs(each), 0)
        if not np.all(away <= allowed):
            most = np.nan_to_num(away, nan=np.inf).max()
            how = f"differs by {most:.3g}" if np.isfinite(most) else "is finite on one side alone"
            wrong.append(f"`{name}` {how}")
    return wrong


def _probe(
    subject: Subject, built: Built, session: Session, verdict: Verdict, *, fail: bool, probes: int, seed: int
) -> None:
    """Run inputs that nobody gave: captured must be False, or the outputs right."""
    rng = np.random.default_rng(seed)
    for number in range(probes):
        case = _varied(built, rng, number)
        try:
            expected = subject.eager(case)
        except Exception:
            continue  # Python raises on this input: there is nothing to compare
        try:
            found = session(case)
        except Exception:
            verdict.probes["not captured" if fail else "error"] += 1
            continue
        if not found["captured"]:
            verdict.probes["not captured"] += 1
        elif not differences(expected, found, subject.dtype):
            verdict.probes["right"] += 1
        elif rounding_decides(subject, case):
            verdict.probes["near a threshold"] += 1
        else:
            verdict.wrong.append(
                f"a fresh input: {differences(expected, found, subject.dtype)[0]}, and captured is True"
            )
            return


def rounding_decides(subject: Subject, case: Case) -> str | None:
    """Return the line where runs part that differ in last digits alone; None if none do.

    Such runs are of inputs that differ there, or with ops that round otherwise, as another runtime's may.
    """
    rng = np.random.default_rng(0)
    try:
        (run,) = subject.runs([case], [frozenset()])
    except NotRecorded:
        return None
    try:
        for number, units in enumerate(_NUDGES):
            given, rounding = (_nudged(case, units, rng), None) if number % 2 else (case, _otherwise_rounded(rng))
            (other,) = subject.runs([given], [frozenset()], rounding)
            for one, two in zip(_decided(run), _decided(other)):
                site = one.decision.site
                if (site, one.outcome) != (two.decision.site, two.outcome):
                    return f"{subject.display(site.file)}:{site.line}: `{site.source}`"
            if list(run.results) != list(other.results) or differences(run.results, other.results, subject.dtype):
                return subject.definition()
    except NotRecorded as error:
        return error.line
    return None


def _nudged(case: Case, units: int, rng: Any) -> Case:
    """Return a case whose floats are up to so many units in the last place away."""

    def nudged(value: Any) -> Any:
        array = np.asarray(value)
        if array.dtype.kind != "f":
            return value
        return (array * (1 + units * np.finfo(array.dtype).eps * rng.uniform(-1, 1, array.shape))).astype(array.dtype)

    numbers = {name: float(nudged(each)) if isinstance(each, float) else each for name, each in case.numbers.items()}
    return with_arrays(case, {name: nudged(each) for name, each in case.arrays.items()}, numbers)


def _otherwise_rounded(rng: Any) -> Rounding:
    """Return what rounds the results of inexact ops otherwise: each element is up to two units away."""

    def rounded(op: str, found: Any) -> Any:
        if op not in INEXACT or not isinstance(found, (np.ndarray, np.floating)) or found.dtype.kind != "f":
            return found
        away = 1 + np.finfo(found.dtype).eps * rng.integers(-2, 3, found.shape)
        return (found * away).astype(found.dtype)

    return rounded


def _decided(run: Run) -> list[Any]:
    return [each for each in run.path.nodes if hasattr(each, "outcome")]


def _margins(run: Run) -> list[float]:
    """Return how far the compared numbers of a run were from each other."""
    found = [getattr(node, "margin", None) for node in run.path.nodes]
    return [each for each in found if each is not None]


def _varied(built: Built, rng: Any, number: int) -> Case:
    """Return an input between two cases, around one of them, or of another length."""
    cases = [run.case for run in built.runs]
    one, other = (cases[int(rng.integers(len(cases)))] for _ in range(2))
    arrays: dict[str, Any] = {}
    sizes: dict[int, int] = {}
    for name, array in one.arrays.items():
        new = array
        if array.dtype.kind == "f":
            scale = float(np.std(array)) or float(np.abs(array).max(initial=0.0)) or 1.0
            if number % 3 == 0 and other.arrays[name].shape == array.shape:
                part = rng.random()
                new = (array * part + other.arrays[name] * (1 - part)).astype(array.dtype)
            elif number % 3 == 1:
                new = (array + rng.normal(size=array.shape) * scale * rng.choice([0.01, 0.3, 1.0])).astype(array.dtype)
            else:
                new = (array * rng.choice([-1.0, 0.5, 2.0, 3.0])).astype(array.dtype)
        for dim in range(array.ndim):
            if (name, dim) in built.varying and number % 2:
                size = sizes.setdefault(array.shape[dim], int(rng.integers(1, array.shape[dim] + 4)))
                new = np.take(new, np.arange(size) % max(array.shape[dim], 1), axis=dim)
        arrays[name] = new
    numbers = one.numbers if number % 2 else other.numbers
    return with_arrays(one, arrays, numbers)


def with_arrays(case: Case, arrays: dict[str, Any], numbers: dict[str, Any]) -> Case:
    """Return a case with other arrays and numbers."""
    swap = lambda leaf: Leaf(leaf.name, arrays[leaf.name])
    bound = Bound(
        case.bound.case, tuple(map_tree(each, swap) for each in case.bound.positional),
        {name: map_tree(each, swap) for name, each in case.bound.named.items()}, case.bound.names,
    )  # fmt: skip
    return Case(bound, arrays, numbers, case.fixed)
