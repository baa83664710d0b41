"""Values as lines for people and prompts. The words of notes pass `terminal.safe`, so that they cannot control a
terminal.
"""
