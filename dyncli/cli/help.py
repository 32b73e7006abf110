"""The text of `--help`: usage, arguments, options in their groups, examples."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from textwrap import wrap
from typing import Any

from dyncli.cli.commands import COMMANDS
from dyncli.cli.output import wants_color, width

Row = tuple[str, str]
WIDEST_NAME = 26

APP = """Run a dynamic model and see which way it went, what graph that recorded, and what gradient came back.

    $ dyncli models
    $ dyncli run piecewise
    $ dyncli run net.py -i '[1, -1, 2]'
    $ dyncli run net.py:forward -i x=@x.npy -i steps=3
"""
APP_OPTIONS = [
    ("--version", "Show the version."),
    ("--install-completion", "Install completion of commands, models and cases for this shell."),
    ("--show-completion", "Print the completion script of this shell."),
    ("-h, --help", "Show this, or a command's own help."),
]


def app_help() -> str:
    """Format the help of `dyncli` itself."""
    return _text(APP, "dyncli COMMAND [options]", [("Commands", list(COMMANDS.items())), ("Options", APP_OPTIONS)])


def command_help(context: Any) -> str:
    """Format the help of one command, from its Typer context."""
    return _text(context.command.help or "", usage(context), groups(context))


def _text(docstring: str, usage_line: str, tables: list[tuple[str, list[Row]]]) -> str:
    summary, body, examples = parts(docstring)
    styled = wants_color(None, sys.stdout)
    columns = min(width(), 110)
    blocks = [summary, f"{_heading('Usage:', styled)} {usage_line}", *body]
    longest = max(len(name) for _, rows in tables for name, _ in rows if len(name) <= WIDEST_NAME)
    for title, rows in tables:
        blocks.append("\n".join([_heading(title, styled), *_table(rows, longest, columns, styled)]))
    if examples:
        blocks.append("\n".join([_heading("Examples", styled), *(f"  {line}".rstrip() for line in examples)]))
    return "\n\n".join(filter(None, blocks)) + "\n"


def parts(docstring: str) -> tuple[str, list[str], list[str]]:
    """Split a docstring: (first paragraph, other paragraphs, examples); a line that starts with `$` is an example."""
    lines = [line.strip() for line in docstring.strip().splitlines()]
    examples = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    text = "\n".join(line for line in lines if not line.startswith("$ "))
    summary, *body = (paragraph.strip() for paragraph in text.split("\n\n") if paragraph.strip())
    return " ".join(summary.split()), body, examples


def usage(context: Any) -> str:
    """Format the usage: `dyncli run MODEL [options]`."""
    words = [context.command_path]
    for parameter in context.command.params:
        if parameter.param_type_name == "argument":
            name = parameter.make_metavar(context).strip("{}[]") + ("..." if parameter.nargs == -1 else "")
            words.append(name if parameter.required else f"[{name}]")
    return " ".join([*words, "[options]", *(["[-- ARGS...]"] if context.command.takes_arguments else [])])


def groups(context: Any) -> list[tuple[str, list[Row]]]:
    """List (title, rows) of arguments and options, options under the group they name."""
    command = context.command
    found: dict[str, list[Row]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None:
            continue
        text = parameter.help or ""
        if parameter.param_type_name == "argument":
            title = "Arguments"
        else:
            title = getattr(parameter, "rich_help_panel", None) or "Options"
            if parameter.show_default and parameter.default is not None and parameter.default is not False:
                text += f"  [default: {parameter.default}]"
        found.setdefault(title, []).append((record[0], text))
    if command.takes_arguments:
        found["Arguments"].append(("-- ARGS...", "The script's own arguments, its `sys.argv[1:]`."))
    last = found.pop("Options", None)
    return [*found.items(), *([("Options", last)] if last else [])]


def _table(rows: list[Row], longest: int, columns: int, styled: bool) -> Iterable[str]:
    for name, text in rows:
        lines = wrap(text, max(columns - longest - 4, 20)) or [""]
        padding = " " * (longest - len(name))
        if len(name) > longest:
            yield f"  {_name(name, styled)}"
        else:
            yield f"  {_name(name, styled)}{padding}  {lines.pop(0)}".rstrip()
        for line in lines:
            yield " " * (longest + 4) + line


def _heading(text: str, styled: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if styled else text


def _name(text: str, styled: bool) -> str:
    return f"\x1b[36m{text}\x1b[0m" if styled else text
