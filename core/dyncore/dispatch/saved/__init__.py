"""Values saved for backward."""
