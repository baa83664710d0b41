"""RLM-MEM: memories as JSON chunks, and the ChunkStore over a vault."""
