"""Errors of `dyncli export`."""

from __future__ import annotations

from collections.abc import Sequence

from dyncli.errors.base import DyncliError

_HINTS = {
    "draws random": "an exported model computes the same from the same input: draw outside, or call `model.eval()`",
    "other weights": "seed the generator that makes them: `numpy.random.default_rng(0)`",
    "writes into a parameter": "batch norm in training mode does: call `model.eval()`; else return what changes",
    "in training mode": "put `model.eval()` at the end of the script",
    "outlives the call": "return what changes instead of keeping it, and give it as an input",
    "computes gradients": "export the function that computes the outputs, after training: `script.py:forward`",
    "has no mapping": "write it with other ops; the op table is `dyncli/export/ops/`",
    "different structure": "export one structure at a time: `--case NAME`",
    "inside one another": "shorten the chain of tests, or let a loop do it: `while` and `for` become `Loop`",
    "exact value of a float": "compare it (`v > 0.5`) or compute with it; no text, no key of a dict",
    "each its own path": "compare the number (`x.item() > 0.5`) or compute with the tensor instead",
    "takes values out": "compute with the tensor instead",
}


class OnnxMissing(DyncliError):
    """The libraries of the extra are not installed."""

    def __init__(self) -> None:
        super().__init__("`dyncli export` needs onnx and onnxruntime", hint="`pip install 'dyncli[onnx]'`")


class NothingToExport(DyncliError):
    """The script itself would be the run."""

    def __init__(self, file: str) -> None:
        hint = f"name a function and give its input: `dyncli export {file}:forward -i '[1, -1, 2]'`"
        super().__init__(f"`{file}` runs by itself and names no function to export", hint=hint)


class OpsetUnknown(DyncliError):
    """An opset that no model can be written in."""

    def __init__(self, opset: int, first: int, last: int) -> None:
        super().__init__(f"`--opset {opset}` is not supported", hint=f"a number from {first} to {last}")


class ExportRefused(DyncliError):
    """The model does what an exported one cannot do, or not surely in the same way.

    reason: without a subject, as in "draws random numbers".  line: of the script.
    """

    def __init__(self, reason: str, line: str) -> None:
        hint = next((text for words, text in _HINTS.items() if words in reason), None)
        where = [f"at {line.removeprefix('at ')}"] if line not in ("", "?") else []
        super().__init__(f"the model {reason}: it is not exported", hint=hint, detail=where)


class ExportDiffers(DyncliError):
    """The model does not compute in ONNX Runtime what Python computed: no file is written."""

    exit_code = 1

    def __init__(self, wrong: Sequence[str]) -> None:
        super().__init__(
            "the exported model differs in ONNX Runtime: no file is written",
            hint="`--paths-only` exports without merging arms and loops; float64 rounds less: `--dtype float64`",
            detail=wrong[:5],
        )
