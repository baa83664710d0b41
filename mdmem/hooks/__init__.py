"""Hooks of git and of agents: what they run."""
