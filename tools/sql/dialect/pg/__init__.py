"""What PostgreSQL runs in place of the functions and macros that the rules for DuckDB call."""
