"""What Python code, tests and notebooks use; `import dyncli` has the names of it."""
