"""Fills the index; a query that finds it fresh imports none of this."""
