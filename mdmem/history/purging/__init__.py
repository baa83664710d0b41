"""Purging: taking a text or a memory out of all of history, and having other clones follow."""
