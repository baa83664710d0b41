"""The vault's untracked folder: state, files, lock, journal, usage, sessions."""
