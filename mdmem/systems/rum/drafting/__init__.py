"""Drafts works from what an agent did, according to the transcript of its session."""
