"""Values as lines for people and prompts. A note's own words pass `terminal.safe`, so that they steer nothing."""
