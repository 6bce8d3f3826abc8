"""Benchmarks in their native files, and the official rules by which answers are judged."""
