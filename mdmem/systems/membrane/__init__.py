"""Membrane: typed records that decay, can be revised, and carry their provenance."""
