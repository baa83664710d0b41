"""Commands about the past: history, trash, undo."""
