"""The memory interfaces of other frameworks, over a vault. Each module is imported only when it is used."""
