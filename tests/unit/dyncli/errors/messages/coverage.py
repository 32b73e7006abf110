"""The messages of `dyncli cover`: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (
        errors.CoverInterrupted(1200, None),
        130,
        "interrupted after 1,200 inputs\n\n"
        "hint: `--journal FILE` writes down what is done, and the same command goes on from there",
    ),
    (
        errors.CoverInterrupted(1, "a.journal"),
        130,
        "interrupted after 1 input\n\nhint: the same command goes on from `a.journal`",
    ),
    (
        errors.CoverageTooLow(89.96, 90.0, 1),
        1,
        "89.9% of the arms are reached, 90% are asked for: 1 arm left\n\n"
        "hint: add inputs that reach them; `--search` looks for such",
    ),
    (
        errors.CoverageTooLow(200 / 3, 90.0, 1),
        1,
        "66.7% of the arms are reached, 90% are asked for: 1 arm left\n\n"
        "hint: add inputs that reach them; `--search` looks for such",
    ),
    (
        errors.CoverageTooLow(50.0, 99.5, 3),
        1,
        "50% of the arms are reached, 99.5% are asked for: 3 arms left\n\n"
        "hint: add inputs that reach them; `--search` looks for such",
    ),
    (errors.ModelRefused("no", "try", ["where"], 3), 3, "no\n  where\n\nhint: try"),
    (
        errors.ModelLost("net.py", "the process was killed by SIGSEGV"),
        3,
        "`net.py` cannot be loaded: the process was killed by SIGSEGV\n\nhint: `dyncli run` shows what the script does",
    ),
    (
        errors.NoInputs("net.py"),
        2,
        "no inputs to run `net.py` on\n\n"
        "hint: `--inputs data.jsonl` (.jsonl, .npz, .npy, .csv, .json, a folder, or `-`) has what the script's "
        "`forward(x)` or `model` is called with; a script that is the run itself needs such a function",
    ),
    (
        errors.DataMissing("dta.jsonl", ["data.jsonl"]),
        2,
        "no data at `dta.jsonl`\n\nhint: did you mean `data.jsonl`?",
    ),
    (
        errors.DataMissing("x/", []),
        2,
        "no data at `x/`\n\nhint: `--inputs` takes a file, a folder, or `-` for lines of JSON",
    ),
    (
        errors.DataEmpty(["a.jsonl"]),
        2,
        "`a.jsonl` holds no inputs\n\n"
        "hint: a `.jsonl` or `.csv` file has one in each line, `.npy` and `.npz` along their first axis",
    ),
    (
        errors.DataUnfit(2, "a.jsonl:1", "no parameter `y`", "forward(x)"),
        2,
        "none of 2 inputs could be run, the first: a.jsonl:1: no parameter `y`\n  the entry is `forward(x)`\n\n"
        "hint: an input is an object of named values, or one value if the entry takes one",
    ),
    (
        errors.DataUnfit(1, "a.jsonl:1", "no parameter `y`", "forward(x)"),
        2,
        "the only input could not be run: a.jsonl:1: no parameter `y`\n  the entry is `forward(x)`\n\n"
        "hint: an input is an object of named values, or one value if the entry takes one",
    ),
    (
        errors.DataBroken("a.jsonl:3", "it ends too early"),
        2,
        "a.jsonl:3: it ends too early\n\nhint: without `--strict` such inputs are counted and left out",
    ),
    (
        errors.JournalUnreadable("a.journal", "line 3 is damaged"),
        2,
        "`a.journal` is not a journal dyncli can read: line 3 is damaged\n\nhint: start anew with another file",
    ),
    (
        errors.JournalDiffers("a.journal", "`net.py` was another version", ["-x", "+y"]),
        2,
        "`a.journal` is the journal of another run: `net.py` was another version\n  -x\n  +y\n\n"
        "hint: name another journal, or delete this one to start anew",
    ),
    (
        errors.JournalsOverlap("b.journal", "a.jsonl", "3 to 9"),
        2,
        "`b.journal` counts inputs of `a.jsonl` that another journal counts too: 3 to 9\n\n"
        "hint: merge journals of different data, or of different parts of it",
    ),
    (
        errors.ClusterMissing(),
        2,
        "`--scheduler` needs the package `distributed`\n\nhint: `pip install 'dyncli[dask]'`, here and on the workers",
    ),
    (
        errors.ClusterUnreachable("tcp://h:1", "nobody answers"),
        2,
        "no Dask cluster at `tcp://h:1`: nobody answers\n\n"
        "hint: start one: `dask scheduler`, and on each machine `dask worker tcp://HOST:8786`",
    ),
    (
        errors.ClusterFailed("the scheduler is gone"),
        3,
        "the cluster could not finish: the scheduler is gone\n\n"
        "hint: `--journal FILE` writes down what is done, and the same command goes on from there",
    ),
    (
        errors.ClusterFailed("no worker is left", 1234, "run.journal"),
        3,
        "the cluster could not finish after 1,234 inputs: no worker is left\n\n"
        "hint: the same command goes on from `run.journal`",
    ),
]
