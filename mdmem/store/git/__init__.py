"""The only door to git."""
