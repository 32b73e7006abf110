"""What the tests of two runs share."""

from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from tests.unit.dyncli.analysis.parted import Recorded


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Records a script, given by its text, on inputs."""

    def record(text: str, *inputs: str, name: str = "net.py", **more: object) -> Record:
        path = tmp_path / name
        path.write_text(text)
        return next(record_model(Request(str(path), inputs, quiet_stdout=True, **more)))

    return record
