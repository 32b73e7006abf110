"""In-place and out= forms of ops, and writes through views."""
