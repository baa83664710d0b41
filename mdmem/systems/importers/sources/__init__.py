"""The programs that memories are imported from, one module each."""
