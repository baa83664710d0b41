"""Values as JSON: each has one builder, for all callers. Keys are added, never renamed: programs read them.

Times are RFC 3339 in UTC, "" where there is none; commits are full ids, "" where there is none.
"""
