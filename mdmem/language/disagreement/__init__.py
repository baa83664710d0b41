"""Whether two short texts cannot both be true now: one value that differs, a denial, words of change. Pure."""
