"""Membrane: typed records that decay, are revised, and say where they come from."""
