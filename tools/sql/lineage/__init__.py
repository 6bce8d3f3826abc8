"""Lineage: the stored rows that the result of a guarded statement was computed from."""
