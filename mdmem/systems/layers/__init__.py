"""The layered memory: dialogs as entries, their facts, a memory of each topic, and one page over all topics."""
