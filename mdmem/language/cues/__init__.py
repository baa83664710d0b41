"""Cues for and against a sentence being worth a memory, by language, each with an example."""
