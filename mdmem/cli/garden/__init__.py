"""The commands of the gardeners."""
