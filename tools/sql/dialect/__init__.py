"""Rules that re-emit MySQL's dialect for other engines: one group of rules per file."""
