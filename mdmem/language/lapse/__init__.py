"""What a text says of the days it is about, and whether it was about a moment that is over."""
