"""Reads a question over tables as a query: words, what they name in each table, and how they combine."""
