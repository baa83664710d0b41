"""The commands of `mdmem record`."""
