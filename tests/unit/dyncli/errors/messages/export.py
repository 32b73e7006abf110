"""The messages about exports: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (
        errors.OnnxMissing(),
        2,
        "`dyncli export` needs onnx and onnxruntime\n\nhint: `pip install 'dyncli[onnx]'`",
    ),
    (
        errors.NothingToExport("net.py"),
        2,
        "`net.py` runs by itself and names no function to export\n\n"
        "hint: name a function and give its input: `dyncli export net.py:forward -i '[1, -1, 2]'`",
    ),
    (
        errors.OpsetUnknown(3, 18, 22),
        2,
        "`--opset 3` is not supported\n\nhint: a number from 18 to 22",
    ),
    (
        errors.ExportRefused("draws random numbers (`dropout`)", "net.py:3: `y = drop(x)`"),
        2,
        "the model draws random numbers (`dropout`): it is not exported\n  at net.py:3: `y = drop(x)`\n\n"
        "hint: an exported model computes the same from the same input: draw outside, or call `model.eval()`",
    ),
    (
        errors.ExportRefused("needs the exact value of a float that comes from a tensor", "net.py:3: `y = round(v)`"),
        2,
        "the model needs the exact value of a float that comes from a tensor: it is not exported\n"
        "  at net.py:3: `y = round(v)`\n\n"
        "hint: compare it (`v > 0.5`) or compute with it; no text, no key of a dict",
    ),
    (
        errors.ExportRefused("returns a str, which is no tensor", "?"),
        2,
        "the model returns a str, which is no tensor: it is not exported",
    ),
    (
        errors.ExportDiffers(["case a: `output` differs by 0.5"]),
        1,
        "the exported model differs in ONNX Runtime: no file is written\n  case a: `output` differs by 0.5\n\n"
        "hint: `--paths-only` exports without merging arms and loops; float64 rounds less: `--dtype float64`",
    ),
]
