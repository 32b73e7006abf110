"""Formulas of ops prepared for arrays of one dtype."""
