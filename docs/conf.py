"""Configuration of Sphinx, which `make docs` calls: Furo draws the pages, MyST reads their Markdown.

Sphinx, as its search and its checks of links work without a network, and as MyST reads the Markdown that the rest of
the project is written in. What need not be written by hand is made before the pages are read (`made.py`): pictures,
the reference of commands, the reference of the engine.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, ClassVar

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "core")]

import made  # noqa: E402
from docutils import nodes  # noqa: E402
from pygments.lexer import RegexLexer, inherit  # noqa: E402
from pygments.lexers.python import PythonLexer  # noqa: E402
from pygments.token import Generic, Text  # noqa: E402
from sphinx.util import logging  # noqa: E402

from dyncli import __version__  # noqa: E402

logger = logging.getLogger(__name__)

project = "dyncli"
author = "the dyncli developers"
release = version = __version__
html_title = f"dyncli {version}"
html_theme = "furo"
html_copy_source = False
html_show_copyright = False
extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = ["Thumbs.db"]
nitpicky = True
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "github-dark"  # contrast of 4.5 to 1


PAGES = {  # files of the project that are pages here
    "dyncli/records/SCHEMA.md": "/reference/record.md",
    "dyncli/instrument/OBSERVABLE.md": "/reference/observable.md",
    "core/README.md": "/explanation/engine.md",
}


class Console(RegexLexer):
    """Commands after `$ `, and what they print as it is: a `#` there begins no command."""

    name = "console"
    tokens: ClassVar = {"root": [(r"\$ .*\n", Generic.Strong), (r".*\n", Text)]}


class Cell(PythonLexer):
    """A cell of a notebook: Python, and lines that begin with `%`."""

    name = "cell"
    tokens: ClassVar = {"root": [(r"%.*\n", Generic.Strong), inherit]}


def captioned(app: Any, page: str, content: list[str]) -> None:
    """Write the name of a file above each block that shows one: ```python net.py."""
    content[0] = re.sub(r"(?m)^```(\w+) (\S+)$", r"```{code-block} \1\n:caption: \2\n", content[0])


def linked(app: Any, path: Path, page: str, content: list[str]) -> None:
    """Turn links between files of the project into links between pages, or into their text where no page is."""
    content[0] = re.sub(
        r"\[([^]]+)\]\((?!https?:|#)([^)]+)\)",
        lambda link: f"[{link[1]}]({PAGES[link[2]]})" if link[2] in PAGES else link[1],
        content[0],
    )


def described(app: Any, doctree: nodes.document, page: str) -> None:
    """Warn of pictures without words for those who do not see them; `make docs` fails on a warning."""
    for image in doctree.findall(nodes.image):
        if len(image.get("alt", "")) < 20:
            logger.warning("a picture has no description: %s", image["uri"], location=image)


def setup(app: Any) -> None:
    """Make the generated pages and pictures before Sphinx looks for pages."""
    app.connect("config-inited", lambda app, config: made.everything(HERE))
    app.connect("source-read", captioned)
    app.connect("include-read", linked)
    app.connect("include-read", lambda app, path, page, content: captioned(app, page, content))
    app.connect("doctree-resolved", described)
    app.add_lexer("console", Console)
    app.add_lexer("cell", Cell)
