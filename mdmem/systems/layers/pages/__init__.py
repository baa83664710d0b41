"""What is made of entries and facts: a memory of each topic, and one page over all topics."""
