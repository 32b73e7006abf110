"""The backward walk, leaf accumulation, hooks and anomaly mode."""
