"""The rules that rewrite MySQL for SQLite, and the functions in Python that they call."""
