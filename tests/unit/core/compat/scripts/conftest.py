"""The files here are run by `tests/unit/core/compat/test_scripts.py`, never imported."""

collect_ignore_glob = ["*.py"]
