"""Commands that connect LLM clients."""
