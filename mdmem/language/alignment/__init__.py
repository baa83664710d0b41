"""Texts side by side: their sentences, the words that fit, and the slots in which they differ. Pure."""
