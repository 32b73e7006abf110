"""A folder that stands on `sys.path` while `torch` is this package: processes that a script spawns find it there."""
