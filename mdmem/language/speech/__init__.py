"""What people say about themselves: a sentence in the first person as assertions about its speaker."""
