"""Finds which note replaces which, as texts say beside a link."""
