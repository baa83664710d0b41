"""Where memories come from, one module a program."""
