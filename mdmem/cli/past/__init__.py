"""Commands about what was: history, trash, undo."""
