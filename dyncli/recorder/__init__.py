"""An entry and its inputs become a Record; the only listener of the engine's events."""
