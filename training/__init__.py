"""Trains what the package ships: the embedded embedding and the embedded reranker. Not installed with it."""
