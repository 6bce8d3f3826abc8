"""Terms, synonyms, metrics and notes on tables."""
