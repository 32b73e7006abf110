"""Reports for the terminal: one file for each command's."""
