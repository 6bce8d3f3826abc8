"""A company's own terms, synonyms, metrics and notes on tables: the entries of knowledge.yaml."""
