"""Pages of files and commands, each with all that it prints and its exit code; `--accept` rewrites what is printed.

== net.py                     a file, its lines below
== $ dyncli run net.py        a command, what it prints below; `COLUMNS=120 dyncli ...` on a wide terminal
== $ cat run.json             the contents of a file that a command wrote, of a page its body
== $ clock run.dyn            a saved record with known times becomes `clocked.dyn`
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dyncli.records import json as record_json
from dyncli.records.model import Record
from tests import transcripts
from tests.forked import Starter

HEAD = "== "
COMMAND = "$ "
VERSION = re.compile(r"\b(dyncli|dyncore|Python|NumPy) \d[\w.]*|(\"(?:python|numpy|dyncli)\": )\"\d[^\"]*\"")
NUMBERS = r'("(?:\w+_ns|evaluations)": |^\w+_ns: |^evaluations: )([\d.]+|\[[\d, ]+\])'
MEASURED = (
    (re.compile(r"\d[\d.,]* (ns|µs|ms|s)\b"), "<time>"),
    (re.compile(NUMBERS, re.MULTILINE), r"\1<number>"),
    (re.compile(r"-?\b\d(\.\d+)?e-(0?[6-9]|[1-9]\d)\b"), "~0"),  # a rounding error
)


def parts(text: str) -> list[tuple[str, str]]:
    """Split a page into heads and what stands below them."""
    found = (part.partition("\n") for part in ("\n" + text).split("\n" + HEAD)[1:])
    return [(head, below) for head, _, below in found]


def compact(text: str) -> str:
    """Return JSON with a line for each field, and one for each of the members of a list; floats with six digits."""
    decoder = json.JSONDecoder(parse_float=lambda digits: float(f"{float(digits):.6g}"))
    try:
        found, end = decoder.raw_decode(text)
    except ValueError:
        return text
    lines = []
    for part in found if isinstance(found, list) else [found]:
        if not isinstance(part, dict):
            return text
        for name, value in part.items():
            if isinstance(value, list) and len(json.dumps(value)) > 100:
                lines += [f"{name}: [", *(f"  {json.dumps(each)}" for each in value), "]"]
            else:
                lines.append(f"{name}: {json.dumps(value)}")
    return "\n".join(lines) + text[end:]


def lasting(text: str, is_measured: bool) -> str:
    """Return what is printed without what differs from run to run, with narrow columns where that is their width."""
    text = VERSION.sub(lambda found: found[2] + '"<version>"' if found[2] else f"{found[1]} <version>", text)
    before = text
    for pattern, shown in MEASURED if is_measured else ():
        text = pattern.sub(shown, text)
    if text != before:
        text = re.sub("─{3,}", "───", re.sub(r"(?<=\S) {2,}", "  ", text))
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def clocked(record: Record) -> Record:
    """Return a record whose times are known: of ops from 1 to 6 µs, with 4 µs between them."""
    ops = tuple(
        op._replace(
            started_ns=10_000 * op.seq,
            elapsed_ns=1000 + 700 * (op.seq * 5 % 8),
            backward_ns=op.backward_ns and 500 + 300 * (op.seq * 3 % 8),
        )
        for op in record.ops
    )
    length = 10_000 * (len(ops) + 1)
    backwards = tuple(
        each._replace(
            elapsed_ns=8000,
            started_ns=length - 9000,
            nodes_started_ns=tuple(length - 9000 + 400 * number for number in range(len(each.nodes_started_ns))),
            nodes_elapsed_ns=tuple(300 - 10 * number for number in range(len(each.nodes_elapsed_ns))),
        )
        for each in record.backwards
    )
    return record._replace(ops=ops, backwards=backwards, elapsed_ns=length, processor_ns=length)


def printed(command: str, folder: Path, starter: Starter | None) -> str:
    """Run a command in the folder and return its output, errors after it, and its exit code if that is not 0."""
    words = shlex.split(command)
    if words[0] == "cat":
        contents = (folder / words[1]).read_text("utf-8")
        return lasting(compact(contents[max(contents.find("<body"), 0) :]), "clocked" not in words[1])
    if words[0] == "clock":
        record = record_json.parse((folder / words[1]).read_bytes())
        (folder / "clocked.dyn").write_bytes(record_json.dump(clocked(record)))
        return ""
    variables = transcripts.environment()
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        variables[name] = value
    if starter is not None:
        finished = starter.run(words[1:], b"", folder, variables)
        code, out, err = finished.code, finished.out, finished.err
    else:
        command_line = [sys.executable, "-m", "dyncli", *words[1:]]
        ran = subprocess.run(command_line, cwd=folder, env=variables, capture_output=True, encoding="utf-8")
        code, out, err = ran.returncode, ran.stdout, ran.stderr
    assert "error: dyncli failed" not in err, err  # `--accept` writes no fault of ours
    text = out + (f"stderr:\n{err}" if err else "") + (f"exit code {code}\n" if code else "")
    return lasting(compact(text), "clocked" not in command)


@pytest.mark.parametrize("page", sorted(Path(__file__).parent.glob("*.txt")), ids=lambda page: page.stem)
def test_commands_print_what_stands_below_them(
    page: Path, tmp_path: Path, starter: Starter | None, accept: bool
) -> None:
    """Whole reports, pictures and JSON objects of scripts with rare features."""
    expected = page.read_text("utf-8")
    actual = ""
    for head, below in parts(expected):
        if head.startswith(COMMAND):
            below = printed(head.removeprefix(COMMAND), tmp_path, starter)
        else:
            (tmp_path / head).write_text(below, "utf-8")
        actual += f"{HEAD}{head}\n{below.rstrip()}\n"
    if accept:
        page.write_text(actual, "utf-8")
    else:
        assert expected == actual
