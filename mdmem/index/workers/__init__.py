"""Other processes that read notes while this one fills the index, so that a full build uses every core."""
