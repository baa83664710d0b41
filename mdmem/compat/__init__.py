"""Other memory systems' own names for what mdmem does, so that programs written for them run over a vault."""
