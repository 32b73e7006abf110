"""What probes do while a script runs, and how scripts with probes are imported."""
