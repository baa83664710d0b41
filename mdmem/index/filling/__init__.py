"""What fills the index; a question that finds it fresh loads nothing of it."""
