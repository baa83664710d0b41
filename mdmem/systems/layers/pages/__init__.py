"""Pages derived from entries and facts: a memory of each topic, and one page over all topics."""
