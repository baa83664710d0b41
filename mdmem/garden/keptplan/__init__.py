"""A plan of the garden that is kept: what it was made of, what of it still holds later, and its file.

Planning looks at every memory, which takes a minute in a large vault; most of a plan outlasts most changes.
"""
