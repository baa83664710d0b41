"""What pages show, one module per page: pure functions from values to values. Templates only lay them out."""
