"""From a chat to proposals of memories."""
