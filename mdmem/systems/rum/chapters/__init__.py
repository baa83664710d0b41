"""Chapters: works told as one story. Wisdom: chapters told as what a project knows."""
