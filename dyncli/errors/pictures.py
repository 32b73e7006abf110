"""Saved records, and the programs that draw pictures."""

from __future__ import annotations

from collections.abc import Sequence

from dyncli.errors.base import DyncliError, listing, nearest, shown

MOST_KNOWN = 8  # names in a hint


class RecordUnreadable(DyncliError):
    """A file is not a saved record, or is damaged."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"`{path}` is not a record dyncli can read: {why}", hint="record the run again with `--save`")


class RecordNewer(DyncliError):
    """A record of a later schema."""

    def __init__(self, path: str, schema: int, known: int) -> None:
        super().__init__(
            f"`{path}` was saved by a newer dyncli: its schema is {schema}, this one reads up to {known}",
            hint="`pip install --upgrade dyncli`, or record the run again",
        )


class NothingFits(DyncliError, ValueError):
    """A wish of `--only`, `--expand` or `--collapse` is for what the run did not have."""

    def __init__(self, option: str, word: str, known: Sequence[str]) -> None:
        near = None if word.isdecimal() else nearest(word, known)
        names = listing([shown(name) for name in known[:MOST_KNOWN]]) + (", ..." if len(known) > MOST_KNOWN else "")
        found = f"a line number, or one of {names}" if known else "the run had nothing that folds"
        hint = found if near is None else f"did you mean `{near}`?"
        super().__init__(f"nothing fits `--{option} {shown(word)}`", hint=hint)


class LayoutMissing(DyncliError):
    """No program can draw the picture."""

    def __init__(self, format: str) -> None:
        if format == "pdf":
            hint = "install Graphviz for its `dot`, or write `.svg` and print that"
        else:
            hint = "`pip install graphviz-pure`, install Graphviz, or write `.html`, `.mermaid` or `.dot`"
        super().__init__(f"no program here can draw `{format}`", hint=hint)


class LayoutFailed(DyncliError):
    """The layout program gave up."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(
            f"`{program}` could not draw the graph: {why}", hint="write `.dot`, `.html` or `.mermaid` instead"
        )


class LayoutTooSlow(DyncliError):
    """The layout program took too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"drawing took longer than {seconds:g} seconds", hint="draw less: `--max-nodes`, `--depth`, `--only`"
        )
