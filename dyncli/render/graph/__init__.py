"""Graphs as pictures, pages and trees: one file for each format, and their layout."""
