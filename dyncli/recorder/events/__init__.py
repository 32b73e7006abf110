"""The event log of a run, and the collectors that can be switched on in it."""
