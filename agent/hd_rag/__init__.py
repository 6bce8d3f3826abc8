"""HD-RAG (arXiv 2504.09554): find whole documents, select one, answer from it by RECAP and a calculator."""
