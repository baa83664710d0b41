"""Agent hooks: what clients run when a session starts, at a prompt, before an edit and when a session ends."""
