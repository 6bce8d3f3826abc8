"""Rules that rewrite guarded MySQL for DuckDB, by kind of value; tools/sql/dialect/duckdb.py lists them."""
