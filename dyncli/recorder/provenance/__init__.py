"""Where a tested value came from: call frames, assignments and the ops behind them."""
