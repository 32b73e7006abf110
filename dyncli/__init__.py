"""Runs dynamic models and shows which way they went and what gradient came back."""

__version__ = "0.1.0"
