"""Options that several commands share: each with its help, its group in the help, and its completion."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

from typer import Argument, BadParameter, Context, Option

from dyncli.script import paths

if TYPE_CHECKING:
    from dyncli.recorder.request import Request

T = TypeVar("T")

INPUTS = "Inputs"
RUNNING = "Running"
WHAT_IF = "What if"
OUTPUT = "Output"


def complete_model(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield bundled models with what they teach, then folders and the files `.py` and `.dyn`."""
    for model in paths.models():
        if model.name.startswith(incomplete):
            yield model.name, " ".join(paths.docstring(model.path).partition("\n\n")[0].split())
    folder, _, start = incomplete.rpartition("/")
    here = Path(folder or ("/" if incomplete.startswith("/") else "."))
    prefix = incomplete[: len(incomplete) - len(start)]
    for path in sorted(here.glob(f"{start}*"))[:1000] if here.is_dir() else []:
        if path.is_dir() and not path.name.startswith((".", "__")):
            yield f"{prefix}{path.name}/", "folder"
        elif path.suffix in (".py", ".dyn"):
            yield f"{prefix}{path.name}", {".py": "model script", ".dyn": "saved record"}[path.suffix]


def complete_case(incomplete: str) -> Iterator[str]:
    """Yield the case names of the JSON file on the command line, or of the bundled model's sample.

    The words come from the shell's variables: the parser stops at a `--case` that has no value yet.
    """
    import json

    words = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or "").split()
    files = [Path(word.strip("@'\"")) for word in words if word.strip("'\"").endswith(".json")]
    samples = [model.sample for word in words if (model := paths.find(word.partition(":")[0]))]
    path = next(iter([*files, *samples]), None)
    try:
        cases: Any = json.loads(path.read_text("utf-8")) if path and path.suffix == ".json" else {}
    except (OSError, ValueError):
        return
    if isinstance(cases, dict) and all(isinstance(case, dict) for case in cases.values()):
        yield from (name for name in cases if name.startswith(incomplete))


def use_threads(count: int | None) -> int | None:
    """Set the number of threads of NumPy's BLAS, which is loaded later."""
    if count is not None:
        os.environ["OPENBLAS_NUM_THREADS"] = str(count)
    return count


def not_nan(value: float | None) -> float | None:
    """Return the value; raise BadParameter for NaN, which passes every bound."""
    if value != value:
        raise BadParameter("nan is not a number")
    return value


Model = Annotated[
    str,
    Argument(
        metavar="MODEL",
        help="A script, `script.py:entry`, or a bundled name (`dyncli models` lists them).",
        autocompletion=complete_model,
        show_default=False,
    ),
]
Inputs = Annotated[
    list[str] | None,
    Option(
        "--input",
        "-i",
        metavar="VALUE",
        help="`[1, -1, 2]`, `x=[1+2j, 3]`, `x=@x.npy`, `-` for standard input, "
        "or a .json .jsonl .npy .npz .csv .safetensors file; repeatable.  "
        "Numbers become floats unless the parameter is annotated `torch.LongTensor` or `int`.",
        rich_help_panel=INPUTS,
        show_default=False,
    ),
]
Case = Annotated[
    str | None,
    Option(
        metavar="NAME",
        help="Only this case of the input.",
        autocompletion=complete_case,
        rich_help_panel=INPUTS,
        show_default=False,
    ),
]
Entry = Annotated[
    str | None,
    Option(
        metavar="NAME",
        help="The function or nn.Module to run, as after the colon.",
        rich_help_panel=INPUTS,
        show_default=False,
    ),
]
Dtype = Annotated[
    str,
    Option(metavar="DTYPE", help="What floats become: float16, float32 or float64.", rich_help_panel=INPUTS),
]
LEAST_SEED, MOST_SEED = -(2**63), 2**64 - 1  # as in PyTorch
Seed = Annotated[
    int,
    Option(metavar="N", min=LEAST_SEED, max=MOST_SEED, help="Seed of the random numbers.", rich_help_panel=RUNNING),
]
GradOutput = Annotated[
    list[str] | None,
    Option(
        metavar="VALUE",
        help="The gradient handed to `backward`, written as an input is; ones if not given.",
        rich_help_panel=RUNNING,
        show_default=False,
    ),
]
NoGrad = Annotated[bool, Option("--no-grad", help="Record no graph and run no backward.", rich_help_panel=RUNNING)]
MOST_SECONDS = 1e9  # of a timer
Timeout = Annotated[
    float | None,
    Option(
        metavar="SECONDS",
        min=0,
        max=MOST_SECONDS,
        callback=not_nan,
        help="Stop the run after this long.",
        rich_help_panel=RUNNING,
        show_default=False,
    ),
]
MaxOps = Annotated[
    int | None,
    Option(metavar="N", min=1, help="Stop the run after this many ops.", rich_help_panel=RUNNING, show_default=False),
]


def backwards_of(condition: str | None) -> str | None:
    """Return the condition; raise BadParameter for one that does not count backwards."""
    if condition is not None and not re.fullmatch(r"\s*backward\s*==\s*[1-9]\d*\s*", condition):
        raise BadParameter("only `backward == N` is known, with N from 1")
    return condition


Steps = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        help="End the run after this many calls of `backward()`, and report.",
        rich_help_panel=RUNNING,
        show_default=False,
    ),
]
Until = Annotated[
    str | None,
    Option(
        metavar="CONDITION",
        callback=backwards_of,
        help="The same as a condition: `backward == 3`.",
        rich_help_panel=RUNNING,
        show_default=False,
    ),
]
Threads = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        callback=use_threads,
        help="Threads of NumPy's matrix products, 1 if not given; more pay from 512 x 512 on.",
        rich_help_panel=RUNNING,
        show_default=False,
    ),
]
Show = Annotated[
    list[str] | None,
    Option(
        metavar="PART",
        help="Only this part (outputs, gradients, decisions, ops, loading), or this tensor by name; repeatable.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
Trace = Annotated[bool, Option("--trace", help="Show every op as well.", rich_help_panel=OUTPUT)]
Source = Annotated[
    bool,
    Option(
        "--source",
        help="Show the script instead: how often each line was reached, which way its tests went.",
        rich_help_panel=OUTPUT,
    ),
]
Full = Annotated[
    bool, Option("--full", help="Show every value, gradient and decision: nothing folded.", rich_help_panel=OUTPUT)
]
On = Annotated[
    list[str] | None,
    Option(
        "--on",
        metavar="WHAT",
        help="Only decisions on these: `tensor`, `scalar` (a number that left a tensor), `shape`, `rng`, `python`; "
        "several with commas.",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]
Within = Annotated[
    list[str] | None,
    Option(
        "--in", metavar="FUNCTION", help="Only decisions in this function; repeatable.", rich_help_panel=OUTPUT,
        show_default=False,
    ),
]  # fmt: skip
Line = Annotated[
    int | None,
    Option("--line", metavar="N", min=1, help="Only decisions at this line.", rich_help_panel=OUTPUT,
           show_default=False),
]  # fmt: skip
Json = Annotated[bool, Option("--json", help="Print JSON instead of tables.", rich_help_panel=OUTPUT)]
Save = Annotated[
    Path | None,
    Option(metavar="FILE", help="Write the record to this .dyn file.", rich_help_panel=OUTPUT, show_default=False),
]
Overwrite = Annotated[bool, Option("--overwrite", help="Overwrite files that exist.", rich_help_panel=OUTPUT)]
Pins = Annotated[
    list[str] | None,
    Option(
        "--force",
        metavar="SITE=ARM",
        help="Take this arm and show what changes: `22=else`, `net.py:22=then`, "
        "`line 22 iteration 3 = else`, `9=exit` of a loop, `14=case 2`; repeatable.",
        rich_help_panel=WHAT_IF,
        show_default=False,
    ),
]
Patches = Annotated[
    list[str] | None,
    Option(
        "--patch",
        metavar="NAME=VALUE",
        help="Put this value in the place of every one that the name is given, and show what changes: "
        "`h=0`, `self.h=[1, 2]`, `line 22: h=0`; repeatable.",
        rich_help_panel=WHAT_IF,
        show_default=False,
    ),
]
Watches = Annotated[
    list[str] | None,
    Option(
        "--watch",
        metavar="NAME",
        help="Print this variable (`h`, `self.h`) each time its value changes; repeatable.",
        rich_help_panel=WHAT_IF,
        show_default=False,
    ),
]
Breaks = Annotated[
    list[str] | None,
    Option(
        "--break",
        metavar="WHERE",
        help="Open Python's debugger at a line (`line:22`, `net.py:22`), or after the op for which a condition holds "
        '(`op == "log" and nan(out)`); with no terminal, and no commands piped in, say where and why; repeatable.',
        rich_help_panel=WHAT_IF,
        show_default=False,
    ),
]
Sensitivity = Annotated[
    bool,
    Option(
        "--sensitivity",
        help="Show how far each input is from flipping each test, and try it out.",
        rich_help_panel=WHAT_IF,
    ),
]
Color = Annotated[
    bool | None,
    Option(
        "--color/--no-color", help="Colour, or none; NO_COLOR is heeded.", rich_help_panel=OUTPUT, show_default=False
    ),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Say nothing on stderr but errors.", rich_help_panel=OUTPUT)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options that `run`, `graph` and `trace` share; `context.args` are the script's own arguments."""

    context: Context
    model: Model
    inputs: Inputs = None
    case: Case = None
    entry: Entry = None
    dtype: Dtype = "float32"
    seed: Seed = 0
    grad_output: GradOutput = None
    no_grad: NoGrad = False
    timeout: Timeout = None
    threads: Threads = None
    max_ops: MaxOps = None
    steps: Steps = None
    until: Until = None
    save: Save = None
    overwrite: Overwrite = False
    color: Color = None
    quiet: Quiet = False

    def request(self, **more: Any) -> "Request":
        """Return the request for this run; `more` are fields that only one command sets."""
        from dyncli.recorder.request import Request

        return Request(
            model=self.model,
            inputs=tuple(self.inputs or ()),
            case=self.case,
            entry=self.entry,
            dtype=self.dtype,
            seed=self.seed,
            grad_output=tuple(self.grad_output or ()),
            no_grad=self.no_grad,
            timeout=self.timeout,
            max_ops=self.max_ops,
            steps=self.steps if self.until is None else int(self.until.partition("==")[2]),
            saved=self.save is not None,
            arguments=tuple(self.context.args),
            **more,
        )


SHARED_LAST = ("save", "overwrite", "color", "quiet")  # in the help, options of one command stand before these


def with_options(command: Callable[..., T]) -> Callable[..., T]:
    """Replace the one parameter of a command, a dataclass of options, by an option for each field."""
    (name,) = signature(command).parameters
    options = get_type_hints(command)[name]
    types = get_type_hints(options, include_extras=True)
    parameters = [
        Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=types[field.name],
                  default=Parameter.empty if field.default is MISSING else field.default)
        for field in sorted(fields(options), key=lambda field: field.name in SHARED_LAST)
    ]  # fmt: skip

    @wraps(command)
    def called(**values: Any) -> T:
        return command(options(**values))

    vars(called)["__signature__"] = Signature(parameters)
    return called
