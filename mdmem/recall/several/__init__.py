"""Questions to several vaults at once, in one ranking."""
