"""Nodes, edges, grad modes, version counters and events."""
