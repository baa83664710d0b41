"""The inbox: proposals that were captured from sessions automatically, for a person to keep or reject."""
