"""The decision log of a run, and the decisions that are made of it."""
