"""One export from the command line to a checked file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.instrument.runtime.importer import torch_is_dyncore
from dyncli.script.convert import DTYPES

if TYPE_CHECKING:
    from dyncli.export.build import Built
    from dyncli.export.verify import Verdict

LARGEST_MESSAGE = 1_900_000_000  # bytes; Protocol Buffers end at 2 GB, weights beyond that stand in a file of their own
_LOADS = """
import onnxruntime, sys
options = onnxruntime.SessionOptions()
options.log_severity_level = 4
onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
"""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line."""

    model: str
    entry: str | None
    inputs: tuple[tuple[str, ...], ...]
    case: str | None
    output: Path
    dtype: str
    seed: int
    opset: int
    paths_only: bool
    fail: bool
    probes: int


@dataclass(frozen=True, slots=True)
class Exported:
    """The written model and its report.  asked: the model as the command line names it."""

    shown: str
    asked: str
    built: Built
    verdict: Verdict
    size_bytes: int
    notes: list[str]


def export(options: Options) -> Exported:
    """Export a model; the file exists only after it was checked.

    Raises OnnxMissing, OpsetUnknown, UnknownDtype, NothingToExport, ExportRefused, ExportDiffers, and what loading the
    script raises.
    """
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError:
        raise errors.OnnxMissing() from None
    from dyncli.export.build import OPSETS

    if options.opset not in OPSETS:
        raise errors.OpsetUnknown(options.opset, OPSETS[0], OPSETS[-1])
    if options.dtype not in DTYPES:
        raise errors.UnknownDtype(options.dtype, DTYPES)
    with torch_is_dyncore():  # for all runs: to enter it for each would be a quarter of their time
        return _exported(options)


def _exported(options: Options) -> Exported:
    import onnx

    from dyncli.export.build import build
    from dyncli.export.engine import NotRecorded
    from dyncli.export.ops import Refusal
    from dyncli.export.runs import Subject
    from dyncli.export.verify import verify

    notes: list[str] = []
    subject = Subject(options.model, options.entry, options.inputs, options.case, options.dtype, options.seed)
    try:
        built = build(
            subject, opset=options.opset, paths_only=options.paths_only, fail=options.fail, report=notes.append
        )
    except (Refusal, NotRecorded) as error:
        line = error.line.replace(str(subject.loaded.target.path), subject.loaded.target.display)
        raise errors.ExportRefused(error.reason, line) from None
    with TemporaryDirectory(dir=_folder(options.output), prefix=".dyncli-") as folder:
        draft = Path(folder) / options.output.name
        large = sum(len(each.raw_data) for each in built.model.graph.initializer) > LARGEST_MESSAGE
        weights = f"{options.output.name}.data"
        onnx.save(built.model, draft, save_as_external_data=large, location=weights if large else None)
        for each in Path(folder).iterdir():
            each.chmod(draft.stat().st_mode)  # onnx keeps the weights from all others
        onnx.checker.check_model(str(draft))
        finished = subprocess.run(
            [sys.executable, "-c", _LOADS, str(draft)], capture_output=True, text=True, check=False
        )
        if finished.returncode:
            why = _last(finished.stderr)
            raise errors.ExportRefused(
                f"becomes a graph that ONNX Runtime does not load ({why})", _line_in(why) or subject.definition()
            )
        verdict = verify(subject, built, draft, fail=options.fail, probes=options.probes, seed=options.seed)
        if verdict.wrong:
            raise errors.ExportDiffers(verdict.wrong)
        size = sum(each.stat().st_size for each in Path(folder).iterdir())
        try:
            for each in Path(folder).iterdir():
                os.replace(each, options.output.parent / each.name)
        except OSError as error:
            raise errors.OutputUnwritable(str(options.output), errors.reason(error)) from None
    shown = f"{subject.loaded.target.display}:{subject.loaded.entry}"
    asked = f"{options.model} --entry {options.entry}" if options.entry else options.model
    return Exported(shown, asked, built, verdict, size, notes)


def _folder(output: Path) -> Path:
    folder = output.parent
    if not os.access(folder, os.W_OK):
        raise errors.OutputUnwritable(
            str(output), "there is no folder to write to" if not folder.is_dir() else "no permission"
        )
    return folder


def _line_in(message: str) -> str | None:
    """Return the line of the script that the name of a node in a message of ONNX Runtime ends with."""
    found = re.search(r"[Nn]ode[^']*'(?:\w+) (.+?:\d+)(?:_\d+)?'", message)
    return found[1] if found else None


def _last(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else "it crashes"
