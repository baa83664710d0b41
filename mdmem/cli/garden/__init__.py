"""The commands of the garden."""
