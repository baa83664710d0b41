"""Commands that find and print memories."""
