"""Structured notes: what bullets under headings mean, by a table of fields."""
