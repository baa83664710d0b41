"""The index of a team: the committed memories of many vaults in one PostgreSQL, derived from git."""
