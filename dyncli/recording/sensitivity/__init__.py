"""How far the inputs of a run are from flipping its tests."""
