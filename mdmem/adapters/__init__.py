"""The memory interfaces of other frameworks, over a vault. Each module is imported only by who asks for it."""
