"""The immutable account of a run: its data model, and its way to a file and back."""
