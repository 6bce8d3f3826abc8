"""Rerankers: the embedded one, any ``/rerank`` endpoint, and the chat model."""
