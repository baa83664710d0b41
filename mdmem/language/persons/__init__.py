"""Rewrites what somebody says of "I" and "we" to be about "the user", by language."""
