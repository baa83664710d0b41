"""What speaks for and against a sentence being worth a memory: the cues of each language, each with an example."""
