"""Lineage: from a guarded statement to the stored rows that its result was computed from."""
