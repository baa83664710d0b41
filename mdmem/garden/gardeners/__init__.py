"""Gardeners: pure functions of (notes, settings, today) that propose changes; `garden.plan` runs them."""
