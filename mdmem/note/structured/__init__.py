"""Structured notes: bullets under headings, read and written by a table of fields."""
