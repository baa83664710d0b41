"""What somebody says of "I" and "we" in German, Spanish or French, told of "the user"; `sentence` has English."""
