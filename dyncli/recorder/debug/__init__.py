"""Watched names, stops and replaced values while a script runs."""
