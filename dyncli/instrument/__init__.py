"""Record decisions: probes written into the syntax tree of a script, and what they do while it runs."""
