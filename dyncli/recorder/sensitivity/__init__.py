"""Distances of a run's inputs from flipping its tests."""
