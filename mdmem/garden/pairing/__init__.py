"""One judgement of two notes: whether they say the same, contradict each other, or neither, by fitted weights."""
