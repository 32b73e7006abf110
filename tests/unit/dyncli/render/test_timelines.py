"""Timelines for Perfetto and speedscope: they fit their formats, hold every op, and stay small."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from dyncli.render.export import chrome, speedscope
from tests import records
from tests.unit.dyncli.render.timelines import check_chrome, check_speedscope, nanoseconds

TRAINING = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.second = nn.Linear(3, 1)

    def forward(self, x):
        h = torch.relu(self.first(x))
        if h.sum() > 0.5:
            h = h * 2
        return self.second(h)


def batches():
    for i in range(3):
        yield torch.tensor([float(i), 1.0])


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in batches():
    optimizer.zero_grad()
    loss = (net(x) - 1).pow(2).sum()
    loss.backward()
    optimizer.step()
"""


@pytest.fixture
def training(tmp_path: Path) -> Record:
    """Three steps of training, with modules, a generator, an `if` and three backward passes."""
    script = tmp_path / "train.py"
    script.write_text(TRAINING)
    return next(iter(record_model(Request(str(script), watch=True))))


@pytest.mark.parametrize("make", records.ALL, ids=lambda make: make.__name__)
def test_they_fit_their_formats(make) -> None:
    """Hostile, empty and failed runs too; the same record gives the same bytes."""
    record = make()
    text = chrome.render(record).text
    check_chrome(text)
    assert text == chrome.render(make()).text
    text = speedscope.render(record).text
    check_speedscope(text)
    assert text == speedscope.render(make()).text


def test_every_op_and_node_is_there(training: Record) -> None:
    """Forward and backward, each with its own time, flows between them, calls and steps around them."""
    events = check_chrome(chrome.render(training).text)
    ops = [event for event in events if event.get("cat") == "op"]
    assert len(training.ops) == len(ops)
    assert sum(op.elapsed_ns for op in training.ops) == sum(nanoseconds(event["dur"]) for event in ops)
    nodes = [event for event in events if event.get("cat") == "node"]
    assert sum(len(backward.nodes) for backward in training.backwards) == len(nodes)
    assert sum(op.backward_ns or 0 for op in training.ops) == sum(nanoseconds(event["dur"]) for event in nodes)
    assert 3 == sum(event.get("cat") == "pass" for event in events)
    assert sum(op.backward_ns is not None for op in training.ops) == sum(event["ph"] == "f" for event in events)
    scopes = {event["name"] for event in events if event.get("cat") in ("call", "module", "iteration", "arm")}
    assert {"net", "first", "for x in batches() line 25 step 0", "if h.sum() > 0.5 → then"} <= scopes
    op = next(event for event in ops if event["name"] == "relu")
    assert "torch.relu(self.first(x))" == op["args"]["source"]
    assert op["args"]["line"].endswith(":12")
    assert "float32 [3]" == op["args"]["output"]


def test_the_time_of_day_is_kept(training: Record) -> None:
    """Each op stands where it ran: in order, within the run, and before its backward."""
    events = check_chrome(chrome.render(training).text)
    starts = [event["ts"] for event in events if event.get("cat") == "op"]
    assert sorted(starts) == starts
    assert max(starts) * 1000 < training.elapsed_ns


def test_memory_is_a_counter(training: Record) -> None:
    """Its largest value is the peak."""
    from dyncli.analysis.memory import memory

    events = check_chrome(chrome.render(training).text)
    assert memory(training).peak.size_bytes == max(e["args"]["bytes"] for e in events if e["ph"] == "C")


def test_letters_that_are_no_ascii_stand_as_they_are(tmp_path: Path) -> None:
    """Perfetto shows the escapes of JSON as they are written in many a text: `if θ > 0 → then` is to be read so."""
    script = tmp_path / "greek.py"
    script.write_text(
        "import dyncore as torch\n\nθ = torch.ones(2, requires_grad=True)\n"
        "if θ.sum() > 0:\n    (θ * 2).sum().backward()\n",
        encoding="utf-8",
    )
    record = next(iter(record_model(Request(str(script), watch=True))))
    text = chrome.render(record).text
    assert '"if θ.sum() > 0 → then"' in text and "\\u" not in text
    assert len(chrome.render(record, len(text) - 1).text.encode()) < len(text)


def test_memory_where_two_passes_run_through_an_op(tmp_path: Path) -> None:
    """Each pass has its own moments: a graph that was retained is not told to be freed in the first."""
    script = tmp_path / "twice.py"
    script.write_text(
        "import dyncore as torch\n\nx = torch.ones(50, requires_grad=True)\ny = (x * x).sum()\n"
        "y.backward(retain_graph=True)\ny.backward()\n"
    )
    record = next(iter(record_model(Request(str(script), watch=True))))
    events = check_chrome(chrome.render(record).text)
    moments = [event["ts"] for event in events if event["ph"] == "C"]
    assert sorted(set(moments)) == moments
    begins = [event["ts"] for event in events if event.get("cat") in ("op", "node")]
    assert sorted(begins) == moments


def test_a_file_short_of_room_still_shows_the_memory() -> None:
    """Its peak is there, and the file as a whole stays within its bound."""
    from dyncli.analysis.memory import memory

    record = records.long_loop(3000)
    small = chrome.render(record, 400_000)
    assert "most of the memory" in (small.note or "")
    sizes = [event["args"]["bytes"] for event in check_chrome(small.text) if event["ph"] == "C"]
    assert 10 < len(sizes) <= 40
    assert memory(record).peak.size_bytes == max(sizes)
    assert len(small.text) < 400_000


def test_speedscope_has_three_profiles(training: Record) -> None:
    """Time forward, time backward and bytes held, over the same frames."""
    forward, backward, held = check_speedscope(speedscope.render(training).text)
    assert ("nanoseconds", "nanoseconds", "bytes") == (forward["unit"], backward["unit"], held["unit"])
    assert sum(op.elapsed_ns for op in training.ops) == forward["endValue"]
    assert sum(op.backward_ns or 0 for op in training.ops) == backward["endValue"]
    assert sum(op.saved_bytes for op in training.ops) == held["endValue"]


@pytest.mark.parametrize("with_passes", [True, False])
def test_speedscope_shows_backward_from_the_last_op_to_the_first(training: Record, with_passes: bool) -> None:
    """By the nodes of each pass where the record has them, else by the ops."""
    record = training if with_passes else training._replace(backwards=())
    document = json.loads(speedscope.render(record).text)
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    names = [frames[sample[-1]].partition(":")[0] for sample in document["profiles"][1]["samples"]]
    assert ["sum", "pow"] == names[:2]
    assert names.index("relu") > names.index("pow")


@pytest.mark.parametrize("view", [chrome, speedscope])
def test_a_small_bound_is_kept(training: Record, view) -> None:
    """Whatever the bound, the file is no larger, fits its format and says what was left out."""
    whole = view.render(training)
    assert whole.note is None
    check = check_chrome if view is chrome else check_speedscope
    sizes = []
    for bound in (len(whole.text) - 1, 6000, 3000) if view is chrome else (len(whole.text) - 1,):
        small = view.render(training, bound)
        check(small.text)
        assert re.match(r"\d+ ops: ", small.note or "")
        sizes.append(len(small.text))
    assert sorted(sizes, reverse=True) == sizes
    assert sizes[0] < len(whole.text)


def test_what_is_merged_still_covers_the_run(training: Record) -> None:
    """Merged slices begin with the first op and end with the last."""
    small = chrome.render(training, 3000)
    events = [event for event in check_chrome(small.text) if event.get("cat") == "merged" and event["tid"] == 1]
    ends = [op.started_ns + op.elapsed_ns for op in training.ops if op.phase == "forward"]
    assert round(events[0]["ts"] * 1000) == training.ops[0].started_ns
    assert round((events[-1]["ts"] + events[-1]["dur"]) * 1000) == max(ends)
    assert small.note == json.loads(small.text)["otherData"]["note"]


@pytest.mark.whole
def test_no_timeline_grows_past_its_bound() -> None:
    """Write as much of a long run as a viewer still opens: 20 megabytes, here half of five thousand ops."""
    record = records.long_loop(5_000)
    for view, check in ((chrome, check_chrome), (speedscope, check_speedscope)):
        most = len(view.render(record).text) // 2
        timeline = view.render(record, most * 95 // 100)
        assert len(timeline.text) < most
        check(timeline.text)
    assert 95 * 20_000_000 // 100 == chrome.MOST_BYTES == speedscope.MOST_BYTES


def test_hostile_names_steer_nothing() -> None:
    """No control character and no direction override reaches a viewer."""
    for view in (chrome, speedscope):
        document = json.loads(view.render(records.hostile()).text)
        words = json.dumps(document, ensure_ascii=False)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", words)


def test_negative_time_weighs_nothing() -> None:
    """A clock that was set back leaves no negative weight, which speedscope refuses."""
    record = records.piecewise()
    record = record._replace(ops=tuple(op._replace(elapsed_ns=-5) for op in record.ops))
    forward = json.loads(speedscope.render(record).text)["profiles"][0]
    assert [0] * len(record.ops) == forward["weights"]
    assert 0 == forward["endValue"]
