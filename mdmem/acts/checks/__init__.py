"""Maintenance: what is wrong with a vault, what state it is in, and rebuilding what is derived."""
