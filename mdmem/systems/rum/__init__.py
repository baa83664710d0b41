"""Retrieval-Unlimited-Memory (RUM): work that remembers what was tried, why, and what came of it."""
