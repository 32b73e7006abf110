"""The probes that run in a script, and the import of scripts with probes."""
