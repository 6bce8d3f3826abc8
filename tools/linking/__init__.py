"""Linking: which stored values, columns and joins a question speaks of."""
