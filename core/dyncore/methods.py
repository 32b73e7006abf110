"""Methods that are no single op: conversions, `to`, `type`, and what is made of several ops."""
