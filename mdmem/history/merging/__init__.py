"""Merging two versions of a memory, or of any other file of a vault, into one."""
