"""Retrieval-Unlimited-Memory (RUM): works that record what was tried, why, and what came of it."""
