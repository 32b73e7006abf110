"""From a call of an op to its result and its node."""
