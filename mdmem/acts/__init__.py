"""What mdmem does: one typed function for each thing, whatever face it is asked at."""
