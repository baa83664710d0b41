"""One module per client: which files connect it, and how it learns of them."""
