"""Commands that exchange memories with other programs."""
