"""Runs systems over benchmarks, scores their answers by the official rules, and reports the results."""
