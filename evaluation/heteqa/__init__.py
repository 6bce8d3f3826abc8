"""HeteQA: questions over tables and text whose answers two executions agree on (TableRAG, arXiv 2506.10380)."""
