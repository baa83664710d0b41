"""The days that a text is about, and whether it is only about a passing moment."""
