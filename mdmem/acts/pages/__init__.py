"""The values of pages, one module per page: each asks the rooms below and returns a value fit for JSON."""
