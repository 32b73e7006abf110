"""The messages of the base class: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (errors.DyncliError("no", hint="try", detail=["where"]), 2, "no\n  where\n\nhint: try"),
]
