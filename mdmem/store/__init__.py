"""The only room that touches the files of a vault, git and SQLite."""
