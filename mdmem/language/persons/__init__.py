"""What somebody says of "I" and "we" told of "the user", by language."""
