"""Memories of other programs taken into a vault, one module a source, and led out again."""
