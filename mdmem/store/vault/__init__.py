"""A vault: opening it, and the only way to write to it."""
