"""Checks a timeline against what its format asks for, as its published description words it.

Chrome: the Trace Event Format's JSON object form; every event has `ph`, `pid`, and all but metadata a `ts` in
microseconds; a complete event has `dur`; those of one thread nest; flows start before they finish, inside a slice.
Speedscope: `file-format-spec.ts` of the project.
"""

from __future__ import annotations

import json
from typing import Any

UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}


def nanoseconds(microseconds: float) -> int:
    """Return a time as Perfetto reads it, which cuts what is left of a nanosecond off."""
    return int(microseconds * 1000.0)


def check_chrome(text: str) -> list[dict[str, Any]]:
    """Return the events of a Chrome trace, or fail at what Perfetto would refuse or drop."""
    document = json.loads(text, parse_constant=_refuse)
    assert document["displayTimeUnit"] in ("ms", "ns")
    assert isinstance(document.get("otherData", {}), dict)
    events = document["traceEvents"]
    tracks: dict[tuple[int, int], list[tuple[float, float]]] = {}
    flows: dict[Any, dict[str, dict[str, Any]]] = {}
    for event in events:
        assert event["ph"] in ("X", "M", "C", "s", "f")
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name")
            assert isinstance(event["args"]["name"], str)
            continue
        assert event["ts"] >= 0
        if event["ph"] == "X":
            assert event["dur"] >= 0
            assert isinstance(event["tid"], int)
            begin = nanoseconds(event["ts"])
            tracks.setdefault((event["pid"], event["tid"]), []).append((begin, begin + nanoseconds(event["dur"])))
        elif event["ph"] == "C":
            assert all(isinstance(value, (int, float)) for value in event["args"].values())
        else:
            assert event["ph"] not in flows.setdefault(event["id"], {})
            flows[event["id"]][event["ph"]] = event
    for slices in tracks.values():
        _nest(slices)
    for flow in flows.values():
        assert {"s", "f"} == set(flow)
        assert flow["s"]["ts"] <= flow["f"]["ts"]
        assert "e" == flow["f"]["bp"]
        for end in flow.values():
            assert any(a <= nanoseconds(end["ts"]) <= b for a, b in tracks[end["pid"], end["tid"]])
    return events


def _nest(slices: list[tuple[float, float]]) -> None:
    """Fail if two slices of one thread overlap and neither holds the other; the outer of two stands first."""
    open_: list[float] = []
    for begin, end in sorted(slices, key=lambda each: each[0]):
        while open_ and open_[-1] <= begin:
            open_.pop()
        assert not open_ or end <= open_[-1], f"a slice until {end} stands in one until {open_[-1]}"
        open_.append(end)


def check_speedscope(text: str) -> list[dict[str, Any]]:
    """Return the profiles of a speedscope file, or fail at what speedscope would refuse."""
    document = json.loads(text, parse_constant=_refuse)
    assert "https://www.speedscope.app/file-format-schema.json" == document["$schema"]
    frames = document["shared"]["frames"]
    for frame in frames:
        assert isinstance(frame["name"], str)
        assert isinstance(frame.get("file", ""), str)
        assert isinstance(frame.get("line", 1), int)
    for profile in document["profiles"]:
        assert "sampled" == profile["type"]
        assert profile["unit"] in UNITS
        assert isinstance(profile["name"], str)
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(0 <= frame < len(frames) for stack in profile["samples"] for frame in stack)
        assert all(weight >= 0 for weight in profile["weights"])
        assert profile["startValue"] <= profile["endValue"]
        assert profile["endValue"] - profile["startValue"] == sum(profile["weights"])
    assert 0 <= document["activeProfileIndex"] < len(document["profiles"])
    return document["profiles"]


def _refuse(word: str) -> Any:
    raise AssertionError(f"{word} is no JSON")
