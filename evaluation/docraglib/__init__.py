"""A corpus like DocRAGLib (HD-RAG, arXiv 2504.09554, section 3): documents of text and hierarchical tables, from public
sets, with the questions that can be asked of all of them together."""
