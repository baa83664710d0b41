"""What is wrong with a vault, and how it stands."""
