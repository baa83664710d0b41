"""The Python interfaces of other memory systems, so that programs written for them run on a vault."""
