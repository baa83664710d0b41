"""Syncing: a vault and its remotes get the same content, and nobody loses anything."""
