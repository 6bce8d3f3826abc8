"""Access control: API keys, corpora, and checks on requests and runs."""
