"""HD-RAG (arXiv 2504.09554): documents found whole, one chosen, its question answered by RECAP and a calculator."""
