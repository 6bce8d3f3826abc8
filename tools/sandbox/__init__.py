"""A locked-down child process that runs a model's Python over DataFrames."""
