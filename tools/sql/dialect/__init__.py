"""Rules that translate MySQL's dialect for other engines: one group of rules per file."""
