"""Language models and embeddings, all optional; but for `team`, the only room that talks to servers."""
