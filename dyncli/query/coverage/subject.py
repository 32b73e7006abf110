"""What is covered: a model's sources, sites and functions, and the settings it is run with."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyncli.record.model import Site, Source


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the scripts; `line` is where its `def` stands.  key: as in `Tally.calls`."""

    key: str
    name: str
    file: str
    line: int
    end_line: int
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run depends on beside the script and its inputs.  given: inputs that are the same for all."""

    dtype: str = "float32"
    seed: int = 0
    no_grad: bool = False
    timeout: float | None = None
    max_ops: int | None = None
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What is covered.

    sites: the decisions inside functions; those at the top level are made before any input.
    loading: (site, arm) of the arms that were taken while the script was loaded, and called, the functions.
    atoms: site -> the source of each comparison of a test that has several.
    """

    model: str
    entry: str
    signature: str
    sources: tuple[Source, ...] = ()
    sites: tuple[Site, ...] = ()
    functions: tuple[Function, ...] = ()
    atoms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loading: tuple[tuple[str, int], ...] = ()
    called: tuple[str, ...] = ()
    settings: Settings = Settings()
    versions: dict[str, str] = field(default_factory=dict)
