"""The only room that talks to a network: language models and embeddings, all optional."""
