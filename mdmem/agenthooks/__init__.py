"""Hooks of agents: what their clients run at the start of a session, at a prompt, before an edit, at the end."""
