"""Commands of the layered memory: dialogs, their facts, topics."""
