"""Works, chapters and wisdom as RUM's SQLite database has them: written, and read back."""
