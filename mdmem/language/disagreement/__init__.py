"""Whether two short texts contradict each other: by one value that differs, a denial or words of change. Pure."""
