"""Readers for the benchmarks' native files."""
