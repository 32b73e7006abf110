"""From MODEL and `--input` to something that can be called."""
