"""The random number generator and its samplers."""
