"""LLM clients: connecting them to a vault, finding out which there are and whether the connection works."""
