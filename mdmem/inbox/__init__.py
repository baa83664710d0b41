"""The inbox: what was captured from sessions by itself, waiting for a person to keep or reject it."""
