"""One file for each format; `render(record, options)` is pure and gives text, bytes or something rich can print."""
