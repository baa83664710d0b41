"""A vault's past: log, diff, blame, lineage, undo, news; merging, syncing and purging."""
