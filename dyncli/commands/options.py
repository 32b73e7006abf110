"""The options that several commands share, each with its help, its group and its completion."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from dyncli.commands.declare import Argument, Option
from dyncli.load import bundled

INPUTS = "Inputs"
RUNNING = "Running"
WHAT_IF = "What if"
OUTPUT = "Output"


def complete_model(incomplete: str) -> Iterator[tuple[str, str]]:
    """Bundled names with what they teach; then the shell's own files, `.py` and `.dyn`."""
    for model in bundled.models():
        if model.name.startswith(incomplete):
            yield model.name, " ".join(bundled.docstring(model.path).partition("\n\n")[0].split())
    folder, _, start = incomplete.rpartition("/")
    here = Path(folder or ("/" if incomplete.startswith("/") else "."))
    prefix = incomplete[: len(incomplete) - len(start)]
    for path in sorted(here.glob(f"{start}*"))[:1000] if here.is_dir() else []:
        if path.is_dir() and not path.name.startswith((".", "__")):
            yield f"{prefix}{path.name}/", "folder"
        elif path.suffix in (".py", ".dyn"):
            yield f"{prefix}{path.name}", {".py": "model script", ".dyn": "saved record"}[path.suffix]


def complete_case(incomplete: str) -> Iterator[str]:
    """The case names of the JSON file on the command line, else of the bundled model's sample.

    The words come from the shell's own variables: the parser gives up at a `--case` that has no value yet.
    """
    import json

    words = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or "").split()
    files = [Path(word.strip("@'\"")) for word in words if word.strip("'\"").endswith(".json")]
    samples = [model.sample for word in words if (model := bundled.find(word.partition(":")[0]))]
    path = next(iter([*files, *samples]), None)
    try:
        cases: Any = json.loads(path.read_text("utf-8")) if path and path.suffix == ".json" else {}
    except (OSError, ValueError):
        return
    if isinstance(cases, dict) and all(isinstance(case, dict) for case in cases.values()):
        yield from (name for name in cases if name.startswith(incomplete))


def use_threads(count: int | None) -> None:
    """Tells NumPy's BLAS, which is not loaded yet, how many threads to start."""
    if count is not None:
        os.environ["OPENBLAS_NUM_THREADS"] = str(count)


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
        help="Stop the run after this long.",
        rich_help_panel=RUNNING,
        show_default=False,
    ),
]
MaxOps = Annotated[
    int | None,
    Option(metavar="N", min=1, help="Stop the run after this many ops.", rich_help_panel=RUNNING, show_default=False),
]
Threads = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        callback=use_threads,
        expose_value=False,
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
Json = Annotated[bool, Option("--json", help="Print JSON instead of tables.", rich_help_panel=OUTPUT)]
Save = Annotated[
    Path | None,
    Option(metavar="FILE", help="Write the record to this .dyn file.", rich_help_panel=OUTPUT, show_default=False),
]
Force = Annotated[bool, Option("--force", help="Overwrite files that exist.", rich_help_panel=OUTPUT)]
Overwrite = Annotated[
    bool, Option("--overwrite", help="Overwrite the file of `--save` if it exists.", rich_help_panel=OUTPUT)
]
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
