"""Commands about works (RUM)."""
