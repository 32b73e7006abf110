"""Runs dynamic models and shows which way they went and what gradient came back."""

__version__ = "0.1.0"
#: The collector's first threshold in a process of the command line.
COLLECTED_AFTER = 100_000
