"""What a script decides while it is loaded, before its entry is called."""

from __future__ import annotations

import signal
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

from dyncli import errors
from dyncli.analysis.graph import build as graph
from dyncli.recorder.decisions import decision_log as decisions
from dyncli.recorder.engine import grad_mode
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records import json as record_json
from dyncli.records.codec import Malformed
from dyncli.records.model import Record
from dyncli.records.validate import check
from dyncli.script.paths import display as shown

LOADED = """import dyncore as torch
def halved(v):
    while v > 1:
        v = v / 2
    return v
LIMIT = torch.tensor(3.0)
STEP = halved(LIMIT.item())
if LIMIT > 2:
    STEP += 1
GENERATOR = (k for k in range(4) if k % 2)
FIRST = next(GENERATOR)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [k for k in range(2)]
    def forward(self, x):
        return x * next(GENERATOR) if halved(2) == STEP - 0.75 else -x
"""


def run(folder: Path, source: str, entry: str | None = None) -> Record:
    """The record of a script with one input."""
    script = folder / "net.py"
    script.write_text(source)
    (found,) = record_model(Request(model=str(script), entry=entry, inputs=("2.0",)))
    assert found.failure is None, found.failure
    return found


def lines(found: Record) -> list[tuple[object, ...]]:
    """Line, arm, origin, phase, op, controlling decision and call path of each decision."""
    return [
        (d.site.line, d.arm, d.origin, d.phase, d.predicate_op, d.under, ">".join(d.call_path))
        for d in (*found.loading, *found.decisions)
    ]


def test_loop_of_loading_that_goes_on_in_the_run_ends_with_loading(tmp_path: Path) -> None:
    """No number of a decision of loading is that of one of the run."""
    loading = run(tmp_path, LOADED, "Net").loading
    assert [len(loading)] == [each.until for each in loading if each.site.text == "for k in range(4)"]


def test_phase_of_loading(tmp_path: Path) -> None:
    """Decisions of loading stand by themselves; they know tensors and what left them, though no op of then is there."""
    found = run(tmp_path, LOADED, "Net")
    assert (8, 5) == (len(found.loading), len(found.decisions))
    assert [
        (3, "body", "scalar", "load", None, None, "halved"),
        (3, "body", "scalar~", "load", None, None, "halved"),
        (3, "exit", "scalar~", "load", None, None, "halved"),
        (8, "then", "tensor", "load", None, None, ""),
        (10, "loop", "python", "load", None, None, ""),
        (10, "drop", "python", "load", None, 4, ""),
        (10, "keep", "python", "load", None, 4, ""),
        (15, "loop", "python", "load", None, None, "Net.__init__"),
        (3, "body", "scalar~", "forward", None, None, "Net.forward>halved"),
        (3, "exit", "scalar~", "forward", None, None, "Net.forward>halved"),
        (17, "then", "scalar~", "forward", None, None, "Net.forward"),
        (10, "drop", "python", "forward", None, None, "Net.forward"),
        (10, "keep", "python", "forward", None, None, "Net.forward"),
    ] == lines(found)


def test_loading_in_a_saved_record(tmp_path: Path) -> None:
    """It is saved and read again; what it names must be there."""
    found = run(tmp_path, LOADED, "Net")
    assert found == record_json.parse(record_json.dump(found))
    wrong = found._replace(loading=(found.loading[0]._replace(under=99),))
    with pytest.raises(Malformed, match="`loading\\[0\\]`: there is no decision 99"):
        check(wrong)


def test_calls_of_loading(tmp_path: Path) -> None:
    """How often a function was called is told of the run alone."""
    calls = {each.function: each.times for each in run(tmp_path, LOADED, "Net").calls}
    assert {"halved": 1, "Net.forward": 1, "Net.__init__": 0} == {
        name: calls[name] for name in ("halved", "Net.forward", "Net.__init__")
    }


def test_picture_of_the_run(tmp_path: Path) -> None:
    """A picture shows the run: the same nodes as where nothing was decided before."""
    body = "def forward(x):\n    return x * 2 if x > 1 else x\n"
    plain = graph(run(tmp_path, f"LOADED = 0\n{body}"))
    after = graph(run(tmp_path, f"LOADED = [k for k in range(3) if k]\n{body}"))
    assert [(node.kind, node.name, node.rest) for node in plain.nodes] == [
        (node.kind, node.name, node.rest) for node in after.nodes
    ]
    assert plain.title == after.title


def test_signature_without_loading(tmp_path: Path) -> None:
    """The signature is that of the path of the run."""
    body = "def forward(x):\n    return x * 2 if x > 1 else x\n"
    assert run(tmp_path, body).signature == run(tmp_path, f"ALL = [k for k in range(3)]\n{body}").signature


def test_bound_on_loading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many decisions the first are kept, and a note says how many are not."""
    monkeypatch.setattr(decisions, "MOST_AT_LOAD", 3_000)
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # of other tests: there is a note for scripts that use it
    found = run(tmp_path, "n = 0\nwhile n < 300_000:\n    n += 1\ndef forward(x):\n    return x if n > 1 else -x\n")
    kept = [decision.iteration for decision in found.loading]
    assert list(range(len(kept))) == kept
    (note,) = found.warnings
    assert f"{300_001 - len(kept):,} decisions made while the script was loaded are left out of the log" == note
    assert (5, "then") == (found.decisions[-1].site.line, found.decisions[-1].arm)


@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="the log is looked at by a timer's signal")
@pytest.mark.parametrize("steps", [700, 800, 1000, 2000])
def test_bound_on_loading_whenever_it_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """The first decisions are kept and the others counted, also where the log was cut before it reached its bound."""
    monkeypatch.setattr(decisions, "MOST_AT_LOAD", 3_000)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    found = run(
        tmp_path,
        "import signal\nlooks = {n: [signal.SIGVTALRM] for n in range(0, 2_000, 25)}\nn = 0\n"
        f"while n < {steps}:\n    n += 1\n    list(map(signal.raise_signal, looks.get(n, [])))\n"
        "def forward(x):\n    return x\n",
    )
    kept = [(each.iteration, each.conditions[0].lhs) for each in found.loading if each.site.kind == "while"]
    assert [(n, n) for n in range(len(kept))] == kept
    left_out = steps + 1 - len(kept)
    assert [f"{left_out:,} decisions made while the script was loaded are left out of the log"] == [*found.warnings]


def test_stopped_while_loading(tmp_path: Path) -> None:
    """A script whose loading never ends is stopped, and how its loop went on last is in the record."""
    script = tmp_path / "net.py"
    script.write_text(
        "from signal import SIGALRM, raise_signal\n"
        "n = 0\nwhile n >= 0:\n    n += 1\n    if n == 1000: raise_signal(SIGALRM)\n"
    )
    (found,) = record_model(Request(model=str(script), inputs=("2.0",), timeout=60.0))  # the script's signal strikes
    assert ("timeout", "", "load") == (found.status, found.entry, found.decisions[-1].phase)
    assert found.failure is not None
    assert [(5, "<module>")] == [(frame.line, frame.function) for frame in found.failure.frames]
    assert "line 3: `while n >= 0` was tested" in found.warnings[-1]


def test_limit_in_finalizer_stops_after_it(tmp_path: Path) -> None:
    """A limit that struck in a `__del__` was printed as an exception that Python ignored; it waits for the end."""
    script = tmp_path / "net.py"
    script.write_text(
        "from signal import SIGALRM, raise_signal\nclass Late:\n    def __del__(self):\n        raise_signal(SIGALRM)\n"
        "Late()\nn = 0\nwhile n >= 0:\n    n += 1\n"
    )
    (found,) = record_model(Request(model=f"{script}:__main__", timeout=60.0))  # the script's own signal strikes
    assert ("timeout", "stopped after 60 s") == (found.status, found.failure and found.failure.message)
    assert found.failure is not None
    assert found.failure.frames[-1].line in (7, 8)


def test_limit_in_callback_of_collector_stops_after_it(tmp_path: Path) -> None:
    """A limit that struck in one of `gc.callbacks`, the first of Python's that runs after long collecting."""
    script = tmp_path / "net.py"
    script.write_text(
        "import gc\nfrom signal import SIGALRM, raise_signal\n"
        "def late(phase, info):\n    raise_signal(SIGALRM)\n"
        "gc.callbacks.append(late)\ngc.collect()\n"
        "gc.callbacks.remove(late)\nn = 0\nwhile n >= 0:\n    n += 1\n"
    )
    (found,) = record_model(Request(model=f"{script}:__main__", timeout=60.0))
    assert ("timeout", "stopped after 60 s") == (found.status, found.failure and found.failure.message)
    assert found.failure is not None
    assert found.failure.frames[-1].line in (9, 10)


def test_ambiguous_while_loading(tmp_path: Path) -> None:
    """A test of several elements is explained as in a run."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\nif torch.tensor([1.0, 2.0]) > 1:\n    pass\ndef forward(x):\n    return x\n"
    )
    with pytest.raises(errors.ScriptRaised) as caught:
        next(record_model(Request(model=str(script), inputs=("2.0",))))
    where = shown(str(script), {})
    assert (
        "RuntimeError: Boolean value of Tensor with more than one value is ambiguous\n"
        f"  at {where}:2: `if torch.tensor([1.0, 2.0]) > 1:`\n"
        f"  in the test `torch.tensor([1.0, 2.0]) > 1` at {where}:2:3\n"
        "  values: 1 of 2 is True: [False,  True]\n\n"
        "hint: `.any()` or `.all()` says which of them is meant"
    ) == caught.value.report()


def test_forced_while_loading(tmp_path: Path) -> None:
    """An arm of what is decided at the top of a script can be forced."""
    script = tmp_path / "net.py"
    script.write_text("SCALE = 2 if len('ab') > 1 else 3\ndef forward(x):\n    return x * SCALE\n")
    (found,) = record_model(Request(model=str(script), inputs=("2.0",), force=("1=else",)))
    assert ("1=else",) == found.forced
    assert ["else"] == [decision.arm for decision in found.loading if decision.forced]
    assert (6.0,) == found.tensors[found.outputs[0].tensor or 0].values


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """A script in another encoding than it says is a syntax error, also where Python skips over it."""
    script = tmp_path / "net.py"
    script.write_bytes(b"import dyncore as torch\n# caf\xe9\ndef forward(x):\n    return x\n")
    with pytest.raises(errors.ScriptSyntax) as caught:
        next(record_model(Request(model=str(script), inputs=("2.0",))))
    assert (
        "SyntaxError: byte 0xe9 is no utf-8, and no other encoding is declared in the first two lines\n"
        f"  at {shown(str(script), {})}:2\n\nhint: nothing of the script has run: Python cannot read it"
    ) == caught.value.report()


def test_source_has_the_digest_that_the_schema_names(tmp_path: Path) -> None:
    (source,) = run(tmp_path, LOADED, "Net").sources
    assert blake2b(LOADED.encode(), digest_size=8).hexdigest() == source.digest


def test_grad_mode_is_restored_after_a_limit(tmp_path: Path) -> None:
    """It may strike in the end of a `no_grad`."""
    script = tmp_path / "net.py"
    script.write_text(
        "from signal import SIGALRM, raise_signal\nimport dyncore as torch\n"
        "torch.no_grad().__enter__()\nraise_signal(SIGALRM)\n"
    )
    (found,) = record_model(Request(model=f"{script}:__main__", timeout=60.0))  # the script's own signal strikes
    assert "timeout" == found.status and grad_mode.is_grad_enabled()
