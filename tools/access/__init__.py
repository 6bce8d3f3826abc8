"""Who may use what: API keys, corpora, and the checks on requests and runs."""
