"""Readers of benchmarks in their native layouts."""
