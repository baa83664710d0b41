"""What was done: log, diff, blame, lineage, undo, news."""
