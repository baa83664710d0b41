"""LLM clients: connects them to a vault, and finds out which are installed and whether their connection works."""
