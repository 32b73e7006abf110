"""The Python API, for code, tests and notebooks; `import dyncli` has the names of it."""
