"""What people say of themselves: a sentence in the first person as assertions about the one who says it."""
