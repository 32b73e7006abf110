"""`dyncli models`: the bundled models, what each teaches and how to run it."""

from __future__ import annotations

import sys
from textwrap import fill

from dyncli.cli.options import Color, Json
from dyncli.cli.output import wants_color, width
from dyncli.script import paths

LARGEST_SAMPLE_BYTES = 1_000_000


def models(color: Color = None, json: Json = False) -> None:
    """List the bundled models, then PyTorch scripts: what each teaches and how to run it.

    $ dyncli models
    $ dyncli models --json
    """
    rows = [(model, paths.docstring(model.path)) for model in (*paths.models(), *paths.scripts())]
    if json:
        _print_json(rows)
        return
    columns = width()
    bold, dim, plain = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if wants_color(color, sys.stdout) else ("", "", "")
    for model, text in rows:
        print(f"{bold}{model.name}{plain}")
        print(fill(summary(text) or "(no docstring)", columns, initial_indent="  ", subsequent_indent="  "))
        print(f"  {dim}${plain} {how_to_run(model)}{dim}{_cases_remark(model)}{plain}\n")


def summary(docstring: str) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join(docstring.partition("\n\n")[0].split())


def how_to_run(model: paths.Bundled) -> str:
    """Return the command that runs a bundled model on its sample, or with `--input ...` if it has none."""
    return f"dyncli run {model.name}" + ("" if model.sample or model.is_script else " --input ...")


def cases(model: paths.Bundled) -> list[str]:
    """Return the names of the cases in a model's sample; [] if they have none."""
    from json import loads

    if model.sample is None or model.sample.suffix != ".json" or model.sample.stat().st_size > LARGEST_SAMPLE_BYTES:
        return []
    held = loads(model.sample.read_bytes())
    return list(held) if isinstance(held, dict) and all(isinstance(case, dict) for case in held.values()) else []


def _cases_remark(model: paths.Bundled) -> str:
    names = cases(model)
    return f"   # cases: {', '.join(names)}" if names else ""


def _print_json(rows: list[tuple[paths.Bundled, str]]) -> None:
    from json import dumps

    described = [
        {
            "name": model.name,
            "path": str(model.path),
            "sample": str(model.sample) if model.sample else None,
            "cases": cases(model),
            "teaches": summary(text),
            "run": how_to_run(model),
        }
        for model, text in rows
    ]
    print(dumps(described, indent=2, ensure_ascii=False))
