"""What a sentence states: a thing, what is said of it, its value; and which two statements exclude each other."""
