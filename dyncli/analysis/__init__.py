"""Pure functions from records to rows: what a view shows, counted, folded and worded, with no layout in it."""
