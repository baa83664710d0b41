"""What pages are made of, one module a page: each asks the rooms below and gives a value that JSON can carry."""
