"""Records and timelines for other programs: one file for each format."""
