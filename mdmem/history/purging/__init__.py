"""Purging: erasing a text or a memory from all of history, and making other clones follow."""
