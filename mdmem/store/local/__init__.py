"""Where vaults are on this machine, and a vault's untracked folder: state, lock, journal, usage, sessions."""
