"""One folder for each foreign memory system, a view of the vault. None imports another."""
