"""Who may see which memories, and how texts are redacted that name hidden ones."""
