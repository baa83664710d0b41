"""Sessions: what each is given at its start, and what it keeps at its end."""
