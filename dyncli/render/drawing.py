"""The drawing of one run, or of two in one, in every format there is a view for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dyncli import errors
from dyncli.render import SUFFIXES, for_suffix

if TYPE_CHECKING:
    from dyncli.analysis.graph import Graph, GraphOptions
    from dyncli.records.model import Record


#: JupyterLab takes `hidden`, and the picture but for its words, out of a notebook that is not trusted.
_UNTRUSTED = "<p hidden>The picture is shown when you trust this notebook: <i>Trust Notebook</i>.</p>"


class Drawing:
    """One or two records, drawn with the same options.

    In a notebook it shows itself.  Raises NothingFits if a node to show, expand or collapse does not exist.
    """

    def __init__(self, records: tuple[Record, ...], options: GraphOptions) -> None:
        self.records = records
        self.options = options
        if options.only or options.expand or options.collapse:
            from dyncli.analysis.graph.unmatched import unfit

            missing = unfit(list(records), options)
            if missing is not None:
                raise errors.NothingFits(*missing)

    def data(self) -> Graph:
        """Return the nodes and edges."""
        from dyncli.analysis.graph import build, build_two

        if len(self.records) == 1:
            return build(self.records[0], self.options)
        a, b = self.records
        return build_two(a, b, self.options, self._names())[0]

    def render(self, suffix: str) -> bytes:
        """Return the file for a suffix of SUFFIXES.  Raises UnknownSuffix."""
        if suffix.lower() not in SUFFIXES:
            raise errors.UnknownSuffix(f"graph{suffix}", SUFFIXES)
        drawn = self._drawn(suffix)
        return drawn.encode() if isinstance(drawn, str) else drawn

    def _drawn(self, suffix: str) -> str | bytes:
        view = for_suffix(suffix)
        if len(self.records) == 1:
            return view.render(self.records[0], self.options)
        if hasattr(view, "render_two"):
            return view.render_two(*self.records, self.options, self._names())
        return view.drawn(self.data())

    def svg(self) -> str:
        """Return the picture as SVG."""
        return self.render(".svg").decode()

    def html(self) -> str:
        """Return a page on which boxes open and close."""
        return self.render(".html").decode()

    def dot(self) -> str:
        """Return the source for Graphviz."""
        return self.render(".dot").decode()

    def mermaid(self) -> str:
        """Return the source for Mermaid."""
        return self.render(".mermaid").decode()

    def text(self) -> str:
        """Return a tree of lines, as the terminal shows it."""
        return self.render(".txt").decode()

    def save(self, path: str | Path) -> None:
        """Write the file in the format that the suffix of `path` names.  Raises UnknownSuffix, OutputUnwritable."""
        from dyncli.records.files import write

        target = Path(path)
        if target.suffix.lower() not in SUFFIXES:
            raise errors.UnknownSuffix(target, SUFFIXES)
        write(target, self.render(target.suffix))

    def __repr__(self) -> str:
        from dyncli.analysis.values import counted

        names = " and ".join(dict.fromkeys(f"{each.model}:{each.entry}".rstrip(":") for each in self.records))
        ops = " and ".join(counted(len(each.ops), "op") for each in self.records)
        return f'<Drawing of {names} · {ops} · .save("graph.svg") writes it, print(drawing.text()) shows it>'

    def _names(self) -> tuple[str, str]:
        """Name two runs by their cases, or A and B."""
        a, b = (record.case or word for record, word in zip(self.records, ("A", "B")))
        return (a, b) if a != b else ("A", "B")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return what a notebook shows: the picture in the colours of the page; as a file, as a tree."""
        from dyncli.render.graph.svg import inline

        svg = self.svg()
        html = f'{_UNTRUSTED}<div style="overflow-x:auto;font-size:0">{inline(svg)}</div>'
        return {"text/html": html, "image/svg+xml": svg, "text/plain": self.text()}
