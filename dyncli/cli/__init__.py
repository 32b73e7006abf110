"""The command line: one Typer app, and one file for each command."""
