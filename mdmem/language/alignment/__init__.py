"""Aligns two texts: their sentences, the words they share, and the slots in which they differ. Pure functions."""
