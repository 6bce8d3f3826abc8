"""The nodes of HD-RAG's graph, one per file."""
