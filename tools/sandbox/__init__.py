"""Runs a model's Python over DataFrames in a locked-down child process."""
