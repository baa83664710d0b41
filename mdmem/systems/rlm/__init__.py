"""RLM-MEM: memories as JSON chunks, and a ChunkStore on top of a vault."""
