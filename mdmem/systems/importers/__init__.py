"""Importing the memories of other programs into a vault, one module per source, and exporting them again."""
