"""Values in lines for an arrow."""

import pytest

from dyncli.render.graph.wrapping import ELLIPSIS, WIDEST_ON_EDGE, on_edge


@pytest.mark.parametrize(
    ("letters", "lines"),
    [
        (WIDEST_ON_EDGE - 2, [f"{'1' * (WIDEST_ON_EDGE - 2)} {ELLIPSIS}", "2"]),
        (WIDEST_ON_EDGE - 1, ["1" * (WIDEST_ON_EDGE - 1), f"{ELLIPSIS} 2"]),
    ],
)
def test_dots_end_the_first_line_where_they_fit_and_begin_the_next_where_not(letters: int, lines: list[str]) -> None:
    """A space and the dots take two letters of the widest line."""
    assert lines == on_edge(f"{'1' * letters} {ELLIPSIS} 2")
