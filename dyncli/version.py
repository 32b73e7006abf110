"""The version of the tool and of the engine in it."""

__version__ = "0.1.0"
