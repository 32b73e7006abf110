"""Where ops and decisions stand in the source, and what tensors are called there."""
