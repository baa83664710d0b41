"""Finds rows by words, from data that FTS5 was asked for before."""
