"""Who may see what, and what is taken out of a text that names what may not be seen."""
