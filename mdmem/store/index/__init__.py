"""The disposable search index: notes as rows in SQLite, freshened at every opening."""
