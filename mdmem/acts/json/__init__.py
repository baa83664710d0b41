"""Values as JSON, each by one builder that all callers share. Keys are added, never renamed: programs read them.

Times are RFC 3339 in UTC and commits are full ids; either is "" where there is none.
"""
