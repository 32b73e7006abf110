"""The Typer app over COMMANDS: parses the command line and turns its complaints into UsageError.

A command's module is imported when that command is called, so `dyncli --help` loads none of them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from dyncli import errors
from dyncli.cli.commands import COMMANDS
from dyncli.version import __version__

QUOTED = "an input is given with `-i`, and in quotes: `-i '[1, -1, 2]'`"
FORCE = "`--force 22=else` takes an arm; `--overwrite` overwrites files"
ClickError: Any = typer.BadParameter.__mro__[2]  # typer keeps click inside itself; this is its ClickException


class Command(TyperCommand):
    """A command with our help; what follows `--` is the script's own and is left in `context.args`."""

    takes_arguments = False

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse what stands before `--`."""
        place = args.index("--") if "--" in args else len(args)
        super().parse_args(ctx, args[:place])
        ctx.args = args[place + 1 :]
        if ctx.args and not self.takes_arguments:
            raise errors.UsageError(
                f"`{ctx.command_path}` takes no arguments of a script", hint=f"leave out `-- {' '.join(ctx.args)}`"
            )
        return ctx.args

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write `command_help`."""
        from dyncli.cli.help import command_help

        formatter.write(command_help(ctx))


class Commands(TyperGroup):
    """The commands by name, each imported on first use."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return their names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, or None; only its summary while commands are listed."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            if getattr(ctx, "is_listing", False):
                return TyperCommand(cmd_name, help=COMMANDS[cmd_name])
            self.commands[cmd_name] = built(cmd_name)
        return self.commands[cmd_name]

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the arguments; without any, show the help on stderr and exit as for a usage error."""
        if not args and not ctx.resilient_parsing:
            print(ctx.get_help(), file=sys.stderr)
            raise typer.Exit(errors.UsageError.exit_code)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names.  Raises UsageError with the nearest."""
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise errors.UsageError(f"no command `{args[0]}`", hint=_instead(args[0]))
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write `app_help`, which loads no command."""
        from dyncli.cli.help import app_help

        formatter.write(app_help())

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands that start so, with their summaries, or the options."""
        ctx.is_listing = True
        return super().shell_complete(ctx, incomplete)


def built(name: str) -> Any:
    """Return the click command made of `dyncli.cli.commands.<name>.<name>`."""
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    function = getattr(import_module(f"dyncli.cli.commands.{name}"), name)
    single.command(name, cls=Command)(function)
    command: Any = typer.main.get_command(single)
    command.takes_arguments = "context" in signature(function).parameters
    return command


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        print(f"dyncli {__version__}")
        raise typer.Exit


@app.callback()
def dyncli(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False) -> None:
    """Hold the options of `dyncli` itself."""


def run(arguments: Sequence[str]) -> Any:
    """Return what the command returns, or the code that it exits with.  Raises UsageError.

    Click's own `main` prints an empty line for Ctrl-C and exits with 1 where nobody reads its output any more.
    """
    group = typer.main.get_command(app)
    try:
        if "_DYNCLI_COMPLETE" in os.environ:
            return group.main(arguments, "dyncli", standalone_mode=False)
        with group.make_context("dyncli", list(arguments)) as context:
            return group.invoke(context)
    except typer.Exit as left:
        return left.exit_code
    except ClickError as error:
        raise usage_error(error, arguments) from None
    except OSError as error:
        if "--install-completion" not in arguments:
            raise
        raise errors.OutputUnwritable(str(error.filename), errors.reason(error)) from None


def usage_error(error: Any, arguments: Sequence[str]) -> errors.UsageError:
    """Return click's complaint as an error of ours, with a hint."""
    context = getattr(error, "ctx", None)
    word = next((word for word in arguments if word in COMMANDS), None)
    command = context.command_path if context else f"dyncli {word}" if word else "dyncli"
    more = f"`{command} --help` shows what it takes"
    option = getattr(error, "option_name", None)
    if option is not None and hasattr(error, "possibilities") and context:
        if getattr(context.command, "takes_arguments", False):
            more = f"{more}; a script's own go after `--`: `{command} script.py -- {option} ...`"
        return errors.UsageError(f"`{command}` has no option `{option}`", hint=_other_option(option, context) or more)
    message = error.format_message().rstrip(".").removesuffix(" range").replace("'", "`")
    if option is not None:
        ill = "takes no value" if "does not take" in message else "needs a value"
        return errors.UsageError(f"option `{option}` {ill}", hint=FORCE if option == "--force" else more)
    surplus = re.fullmatch(r"Got unexpected extra argument\(s\) \((.*)\)", message, re.DOTALL)
    if surplus:
        hint = more if word == "models" else f"{QUOTED}; a script's own arguments go after `--`"
        return errors.UsageError(f"unexpected argument `{errors.shown(surplus[1])}`", hint=hint)
    return errors.UsageError(message[:1].lower() + message[1:], hint=more)


def _other_option(option: str, context: Any) -> str | None:
    """Return a hint for an option that the command does not have."""
    if re.match(r"-[\d.]", option):
        return QUOTED
    known = [name for each in context.command.get_params(context) for name in (*each.opts, *each.secondary_opts)]
    if option == "--force" and "--overwrite" in known:
        return "`--overwrite` overwrites files; `dyncli run --force` takes an arm"
    if option in ("-o", "--output") and "--save" in known:
        return "`--save run.dyn` saves the run; `dyncli graph -o` writes its picture, `dyncli trace -o` a timeline"
    near = errors.nearest(option.lstrip("-"), [name[2:] for name in known if name.startswith("--")])
    return f"did you mean `--{near}`?" if near else None


def _instead(word: str) -> str:
    from dyncli.script import paths

    if word.endswith(".py") or paths.find(word.partition(":")[0]):
        return f"to run a model: `dyncli run {word}`"
    return errors.did_you_mean(word, COMMANDS) or "`dyncli --help` lists the commands"
