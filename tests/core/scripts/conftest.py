"""The files here are run by `tests/core/test_scripts.py`, never imported."""

collect_ignore_glob = ["*.py"]
