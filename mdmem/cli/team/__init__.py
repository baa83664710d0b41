"""The commands of a team's index in PostgreSQL."""
