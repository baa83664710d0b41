"""A session's day: what it is given at the start, what it keeps at the end."""
