"""Language models and embeddings, all optional; besides `team`, the only room that talks to servers."""
