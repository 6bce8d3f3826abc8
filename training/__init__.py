"""Trains the models in the package: embedding, reranker and reasoner. Not installed with it."""
