"""Reads chats and session logs, and proposes memories from what is said in them."""
