"""How low the missed targets can go.

`python -m tests.bench.floor` puts the small suite beside an engine without features and beside NumPy without an engine.
"""
