"""The legacy protocol: notes with the old header."""
