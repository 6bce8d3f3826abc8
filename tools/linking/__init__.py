"""Linking: the stored values, columns and joins that a question mentions."""
