"""The embedded embedding, which needs no download."""
