"""Works drafted from what an agent did, as the transcript of its session tells it."""
