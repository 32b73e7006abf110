"""The tables of a record, made of an event log."""
