"""Strings, dates and numbers. Pure."""
