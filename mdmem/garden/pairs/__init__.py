"""Pairs of notes: which are near, what figures say of two, and a small fitted scorer of what they may be."""
