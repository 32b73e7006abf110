"""What an export alone takes from the engine: capturing is slow to import, and `recording.engine` is everybody's."""

from dyncore.capture.paths import NotRecorded, Recording
from dyncore.capture.program import values_in
from dyncore.dispatch.registry import Kept

__all__ = ["Kept", "NotRecorded", "Recording", "values_in"]
