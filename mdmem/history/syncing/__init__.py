"""Sync: a vault and its remotes hold the same, and nothing of anybody is lost."""
