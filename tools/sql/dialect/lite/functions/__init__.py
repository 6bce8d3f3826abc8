"""MySQL's functions that SQLite lacks, by kind; registered.py registers them.

For invalid arguments a function returns NULL, as in MySQL; it raises Refused if it cannot give MySQL's result.
"""
