"""What a sentence states: a thing, a relation and a value; and which two statements exclude each other."""
