"""From MODEL and its inputs to something that can be called: scripts, entries, inputs, cases, decision probes."""
