"""A garden plan that is kept: what it was based on, which findings still hold later, and its file.

Planning reads every memory, which takes a minute in a large vault; most of a plan survives most changes.
"""
