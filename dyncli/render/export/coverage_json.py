"""A coverage report as strict JSON with named fields, as `cover --json` prints it."""

from __future__ import annotations

import json
from typing import Any

from dyncli.analysis.coverage.report import ArmRow, Report, SiteRow
from dyncli.analysis.coverage.tally import (
    MOST_EXAMPLES,
    MOST_NEAREST,
    MOST_TOLD,
    Example,
    Group,
    Near,
    Norms,
    SearchResult,
    bucket_text,
)
from dyncli.records.codec import number_out
from dyncli.records.model import Site


def render(report: Report) -> str:
    """Return the report as JSON text: ASCII, no NaN, a newline at the end."""
    return json.dumps(document(report), indent=2, allow_nan=False) + "\n"


def document(report: Report) -> dict[str, Any]:
    """Return the report as JSON values."""
    tally, subject = report.tally, report.subject
    return {
        "model": subject.model,
        "entry": subject.entry,
        "signature": subject.signature,
        "dtype": subject.settings.dtype,
        "seed": subject.settings.seed,
        "versions": subject.versions,
        "sources": [{"file": source.file, "digest": source.digest} for source in subject.sources],
        "inputs": tally.inputs,
        "runs": tally.runs,
        "outcomes": {word: _group(group) for word, group in report.outcomes},
        "percent": report.percent,
        "arms_reached": report.reached,
        "arms_total": report.total,
        "never_reached": [_missed(arm) for arm in report.missed],
        "search": [_sought(each) for each in report.sought],
        "never_called": [{"function": each.name, "file": each.file, "line": each.line} for each in report.missing],
        "sites": [_site(row) for row in report.sites],
        "conditions": [
            {**_where(row.site), "index": row.index, "comparison": row.text, "true": row.true, "false": row.false}
            for row in report.conditions
        ],
        "loops": [
            {"file": row.file, "line": row.line, "loop": row.text, "steps": _buckets(row.counts.counts)}
            for row in report.loops
        ],
        "recursion": [
            {"file": row.file, "line": row.line, "function": row.text, "depth": _buckets(row.counts.counts)}
            for row in report.recursion
        ],
        "paths_distinct": report.distinct,
        "paths_bounded": tally.is_bounded,
        "runs_on_paths_not_kept": report.outside,
        "paths": [
            {
                "signature": row.signature,
                "inputs": row.path.count,
                "share": row.share,
                "steps": row.path.steps,
                "raised": row.path.raised,
                "path": row.path.text,
                "examples": _examples(row.path.examples),
                "input_gradients": _norms(row.path.inputs),
                "parameter_gradients": _norms(row.path.parameters),
            }
            for row in report.paths
        ],
        "reasons": [{"what": reason, **_group(group)} for reason, group in report.reasons],
        "kept": {"examples": MOST_EXAMPLES, "outcomes": MOST_TOLD, "nearest": MOST_NEAREST},
    }


def _where(site: Site) -> dict[str, Any]:
    return {"site": site.id, "file": site.file, "line": site.line, "kind": site.kind, "test": site.text}


def _site(row: SiteRow) -> dict[str, Any]:
    arms = [
        {
            "arm": arm.name,
            "reached": arm.is_reached,
            "counted": arm.is_counted,
            "while_loading": arm.is_loading,
            "inputs": arm.reach.inputs,
            "times": arm.reach.times,
            "examples": _examples(arm.reach.examples),
        }
        for arm in row.arms
    ]
    place = {**_where(row.site), "col": row.site.col, "function": row.site.function}
    return {**place, "arms": arms, "raised": row.raised, "nearest": [_near(near) for near in row.nearest]}


def _missed(arm: ArmRow) -> dict[str, Any]:
    place = {**_where(arm.site), "function": arm.site.function, "arm": arm.name}
    return {**place, "lines": arm.span, "source": list(arm.source)}


def _near(near: Near) -> dict[str, Any]:
    return {"margin": number_out(near.margin), "arm": near.arm, "input": _example(near.example)}


def _group(group: Group) -> dict[str, Any]:
    return {"inputs": group.count, "examples": _examples(group.examples)}


def _examples(examples: tuple[Example, ...]) -> list[dict[str, Any]]:
    return [_example(example) for example in examples]


def _example(example: Example) -> dict[str, Any]:
    place = {"place": example.place, "source": example.source, "position": example.position, "text": example.shown}
    return {**place, "note": example.note} if example.note else place


def _norms(norms: Norms) -> dict[str, Any]:
    ends = {name: None if value is None else number_out(value)
            for name, value in (("min", norms.least), ("mean", norms.mean), ("max", norms.most))}  # fmt: skip
    return {**ends, "runs": norms.runs, "zero": norms.zeros, "not_finite": norms.broken, "none": norms.absent}


def _buckets(counts: dict[int, int]) -> dict[str, int]:
    return {bucket_text(first): times for first, times in sorted(counts.items())}


def _sought(sought: SearchResult) -> dict[str, Any]:
    return {
        **_where(sought.site),
        "arm": sought.name,
        "found": sought.input is not None,
        "input": None if sought.input is None else json.loads(sought.input),
        "how": sought.how,
        "runs": sought.runs,
    }
