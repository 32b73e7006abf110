"""The messages about pictures and files: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (
        errors.RecordUnreadable("run.dyn", "it is empty"),
        2,
        "`run.dyn` is not a record dyncli can read: it is empty\n\nhint: record the run again with `--save`",
    ),
    (
        errors.RecordNewer("run.dyn", 3, 2),
        2,
        "`run.dyn` was saved by a newer dyncli: its schema is 3, this one reads up to 2\n\n"
        "hint: `pip install --upgrade dyncli`, or record the run again",
    ),
    (
        errors.NothingFits("only", "ml", ["x", "mul"]),
        2,
        "nothing fits `--only ml`\n\nhint: did you mean `mul`?",
    ),
    (
        errors.NothingFits("expand", "lop", ["for", "encode"]),
        2,
        "nothing fits `--expand lop`\n\nhint: a line number, or one of `for`, `encode`",
    ),
    (
        errors.NothingFits("collapse", "net", []),
        2,
        "nothing fits `--collapse net`\n\nhint: the run had nothing that folds",
    ),
    (
        errors.LayoutMissing("pdf"),
        2,
        "no program here can draw `pdf`\n\nhint: install Graphviz for its `dot`, or write `.svg` and print that",
    ),
    (
        errors.LayoutMissing("svg"),
        2,
        "no program here can draw `svg`\n\n"
        "hint: `pip install graphviz-pure`, install Graphviz, or write `.html`, `.mermaid` or `.dot`",
    ),
    (
        errors.LayoutFailed("dot", "it is lost"),
        2,
        "`dot` could not draw the graph: it is lost\n\nhint: write `.dot`, `.html` or `.mermaid` instead",
    ),
    (
        errors.LayoutTooSlow(30),
        2,
        "drawing took longer than 30 seconds\n\nhint: draw less: `--max-nodes`, `--depth`, `--only`",
    ),
]
