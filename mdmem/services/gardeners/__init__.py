"""Gardeners: pure functions of (notes, settings, today) that propose changes; `services.garden` runs them."""
