"""The messages of the Python API: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (
        errors.RecordingOpen(),
        2,
        "a recording is open already\n\n"
        "hint: one runs at a time: end the `with dyncli.recording()` or `dyncli.record()` around this one first",
    ),
    (
        errors.RecordOpen(),
        2,
        "the block is still being recorded\n\nhint: use the record after its `with` block",
    ),
    (
        errors.RunsLater("forward", "generator"),
        2,
        "`forward` is a generator: calling it runs nothing yet\n\n"
        "hint: pass a function that uses it up: `lambda x: list(forward(x))`",
    ),
    (
        errors.NotAModel(3),
        2,
        "a model is a function or a Module, not an int\n\n"
        "hint: pass the function or the Module itself, then its inputs: `dyncli.record(forward, [1, -1, 2])`",
    ),
    (
        errors.NotAModel("net.py"),
        2,
        "a model is a function or a Module, not a str\n\n"
        "hint: pass the function or the Module itself, then its inputs: `dyncli.record(forward, [1, -1, 2])`; "
        "a script is run by `dyncli run net.py`",
    ),
    (
        errors.ForeignTensor("x", "Tensor"),
        2,
        "`x` is a Tensor of PyTorch, and only dyncore's are recorded\n\n"
        "hint: `import dyncore as torch` in the place of `import torch`; "
        "`dyncore.from_numpy(x.numpy())` converts a tensor",
    ),
    (
        errors.BadArguments("forward: missing a required argument: 'x'", "forward(x)"),
        2,
        "forward: missing a required argument: 'x'\n\nhint: the model is `forward(x)`",
    ),
    (
        errors.NotARecord([]),
        2,
        "a record is needed, not a list\n\n"
        "hint: `dyncli.record(model, x)` makes one, `dyncli.load('run.dyn')` reads one",
    ),
    (
        errors.PathNotRecorded("<stdin>"),
        2,
        "the run of `<stdin>` has ops and gradients, and no decisions: its source is not to be had\n\n"
        "hint: put the function into a file, or into a cell of a notebook",
    ),
    (
        errors.BadOption("order", 3, "1 or 2"),
        2,
        "`order` cannot be 3\n\nhint: 1 or 2",
    ),
    (
        errors.NoValues("h", (300, 300)),
        2,
        "the elements of `h` [300, 300] were not kept\n\n"
        "hint: `.stats` has the least, the largest, the mean and the norm of them",
    ),
]
