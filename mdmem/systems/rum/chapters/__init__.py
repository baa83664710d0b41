"""Chapters sum up related works; wisdom sums up chapters as what a project has learned."""
