"""Parts of the engine for exports alone: capturing is slow to import, and `recorder.engine` is everybody's."""

from dyncore.capture import compiled
from dyncore.capture.paths import NotRecorded, Recording, Rounding
from dyncore.capture.program import values_in
from dyncore.dispatch.registry import Kept

__all__ = ["Kept", "NotRecorded", "Recording", "Rounding", "compiled", "values_in"]
