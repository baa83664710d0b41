"""Rows by their words, without asking FTS5 again what it said before."""
