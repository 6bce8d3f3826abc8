"""MySQL's functions that SQLite lacks, by kind; tools/sql/registered.py registers them.

A function that is given nonsense returns NULL, as MySQL's do; what cannot be answered raises Refused.
"""
