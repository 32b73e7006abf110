"""The notebook extension: `%load_ext dyncli`, then `%%dyncli run` and others on a cell.

The cell runs as IPython runs any cell, with its own transformers, hooks and tracebacks; one more transformer of the
syntax tree writes the probes.
"""

from __future__ import annotations

import ast
import shlex
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from dyncli import errors
from dyncli.api.record import Record
from dyncli.api.shown import Shown
from dyncli.script.frames import trimmed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dyncli.recorder.live import LiveRun

COMMANDS = ("run", "graph", "trace", "gradcheck")
_TAKE = "@take"  # the name by which the cell hands over its last expression: none that a cell can have


class CellRaised(Exception):
    """The end of a recorded cell that raised, so that cells after it are not run; IPython has shown its traceback."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"the recorded cell raised {type(error).__name__}")

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows instead of a traceback."""
        return [str(self)]


def load_ipython_extension(shell: Any) -> None:
    """Register `%%dyncli`."""

    def dyncli(line: str, cell: str) -> Any:
        """Run the cell and record it: `%%dyncli run|graph|trace|gradcheck [options]`."""
        try:
            return run_cell(shell, line, cell)
        except errors.UsageError as error:
            from IPython.core.error import UsageError

            raise UsageError(error.report()) from None  # which IPython shows without a traceback

    shell.register_magic_function(dyncli, magic_kind="cell", magic_name="dyncli")


def unload_ipython_extension(shell: Any) -> None:
    """Remove `%%dyncli`."""
    shell.magics_manager.magics["cell"].pop("dyncli", None)


def run_cell(shell: Any, line: str, cell: str) -> Any:
    """Run a cell and return what shows its record as the command does.

    Raises UsageError, and CellRaised where the cell raises, after its record has been shown.
    """
    options = _options(line)
    if shell.should_run_async(cell, transformed_cell=shell.transform_cell(cell)):
        raise errors.UsageError("`await` at the top of a recorded cell", hint="put it into a function, and call that")
    checks = options.command == "gradcheck"
    recorded = _Cell(shell, cell, is_call_wanted=checks)
    if checks:
        return recorded.checked(order=options.order, fast=options.fast, locate=options.locate)
    record = recorded.record()
    if options.save is not None:
        record.save(options.save)
    if options.name is not None:
        shell.user_ns[options.name] = record
    shown: Any = record
    if options.command == "graph":
        shown = record.graph(expand=options.expand or (), depth=options.depth, grads=options.grads)
    elif options.command == "trace":
        shown = Trace(record)
    if recorded.error is not None:
        from IPython.display import display

        display(shown)  # type: ignore[no-untyped-call]
        raise CellRaised(recorded.error) from None
    return shown


class Trace(Shown):
    """Where time and memory went in a run, as `dyncli trace` shows it."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def _report(self) -> RenderableType:
        from dyncli.render.reports.trace import render

        return render(self.record.data)


class _Cell:
    """One cell, to be run with probes.  is_call_wanted: its last expression is a call that is not made."""

    def __init__(self, shell: Any, cell: str, *, is_call_wanted: bool) -> None:
        self.shell = shell
        self.cell = cell
        self.is_call_wanted = is_call_wanted
        self.text: str = shell.transform_cell(cell)
        self.number = len(shell.history_manager.input_hist_raw) - 1  # of the cell that holds this one
        self.file: str = shell.compile.get_code_name(cell, self.text, self.number)
        self.taken: list[Any] = []
        self.run: LiveRun | None = None
        self.error: BaseException | None = None

    def record(self) -> Record:
        """Run the cell and return its record, also if it raised; IPython shows its traceback."""
        from dyncli.recorder.live import block_of

        run = self.run = block_of(self._variables(), self.file, "", f"In[{self.number}]")
        user_ns = self.shell.user_ns
        with run.block(lambda: {name: value for name, value in user_ns.items() if name[:1] != "_"}):
            self._execute()
            if self.taken:
                run.returned(self.taken[0])
        return Record(run.finished())

    def checked(self, **options: Any) -> Any:
        """Run the cell up to its last expression, a call, and check that.

        Raises UsageError if it is none, and CellRaised.
        """
        from dyncli.api.checking import check
        from dyncli.api.inputs import Inputs

        with suppress(SyntaxError):  # IPython shows it when the cell runs
            last = self._last(ast.parse(self.text))
            if last is None or not isinstance(last.value, ast.Call):
                raise errors.UsageError(
                    "the last line of the cell is no call to check", hint="write the call of the model: `forward(x)`"
                )
        try:
            self._execute()
        except Exception as error:
            raise CellRaised(error) from None
        model, positional, named = self.taken[0]
        return check(model, Inputs(model, positional, named), **options)

    def visit(self, tree: ast.Module) -> ast.Module:
        """Transform the cell's syntax tree, as IPython asks its transformers."""
        last = self._last(tree)
        if last is not None:
            last.value = _handed_over(last.value, self.is_call_wanted)
            ast.fix_missing_locations(tree)
        if self.run is not None:
            self.run.functions.add_code(tree, self.text, self.file)
        return tree

    def _execute(self) -> None:
        """Run the cell by IPython, which shows what it raises; raises that again."""
        shell = self.shell
        shell.user_ns[_TAKE] = self.taken.append
        shell.ast_transformers.append(self)
        count, shell.execution_count = shell.execution_count, self.number
        before = shell.custom_exceptions, shell.CustomTB
        shell.set_custom_exc((Exception,), _short_traceback)
        try:
            result = shell.run_cell(self.cell, store_history=False)
        finally:
            shell.custom_exceptions, shell.CustomTB = before
            shell.execution_count = count
            if self in shell.ast_transformers:
                shell.ast_transformers.remove(self)
            shell.user_ns.pop(_TAKE, None)
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            self.error = error
            raise error

    def _last(self, tree: ast.Module) -> ast.Expr | None:
        """Return the expression that ends the cell, unless a semicolon hides it."""
        last = tree.body[-1] if tree.body else None
        return last if isinstance(last, ast.Expr) and not self.text.rstrip().endswith(";") else None

    def _variables(self) -> Mapping[str, Any]:
        """Return the variables that the cell uses."""
        try:
            names = {node.id for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.Name)}
        except SyntaxError:  # IPython shows it when the cell runs
            return {}
        user_ns = self.shell.user_ns
        return {name: user_ns[name] for name in sorted(names) if name in user_ns}


def _short_traceback(shell: Any, kind: Any, error: BaseException, traceback: Any, tb_offset: Any = None) -> None:
    """Show IPython's traceback with the user's frames alone."""
    shell.showtraceback((kind, error, trimmed(traceback)), tb_offset=0)


def _handed_over(value: ast.expr, is_call: bool) -> ast.expr:
    """Return an expression that hands over the value of another; of a call what it would be made with."""
    if is_call and isinstance(value, ast.Call):
        positional = ast.Tuple(value.args, ast.Load())
        named = ast.Dict(
            [None if each.arg is None else ast.Constant(each.arg) for each in value.keywords],
            [each.value for each in value.keywords],
        )
        value = ast.copy_location(ast.Tuple([value.func, positional, named], ast.Load()), value)
    call = ast.Call(ast.Name(_TAKE, ast.Load()), [value], [])
    return ast.copy_location(call, value)


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise errors.UsageError(message, hint="`%%dyncli run`, with `graph`, `trace` or `gradcheck` instead of `run`")


def _options(line: str) -> Any:
    """Read the line of the magic.  Raises UsageError."""
    words = shlex.split(line)
    if not words:
        raise errors.UsageError("`%%dyncli` needs a command", hint=f"one of {errors.listing(COMMANDS)}: `%%dyncli run`")
    if words[0] not in COMMANDS:
        hint = errors.did_you_mean(words[0], COMMANDS, f"one of {errors.listing(COMMANDS)}")
        raise errors.UsageError(f"`%%dyncli` knows no `{words[0]}`", hint=hint)
    parser = _Parser(prog="%%dyncli", add_help=False)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--save", default=None)
    parser.add_argument("--name", default=None)
    parser.add_argument("--expand", action="append")
    parser.add_argument("--depth", type=int, default=None)
    parser.add_argument("--grads", action="store_true")
    parser.add_argument("--order", type=int, default=1)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--locate", action="store_true")
    return parser.parse_args(words)
