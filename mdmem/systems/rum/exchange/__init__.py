"""Exchanges works, chapters and wisdom with RUM's SQLite database."""
