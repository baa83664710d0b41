"""The commands for a team's index in PostgreSQL."""
