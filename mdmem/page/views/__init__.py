"""What pages show, one module a page: pure functions from values to values. Templates only lay them out."""
