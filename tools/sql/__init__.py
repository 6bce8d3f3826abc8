"""SQL: the guard, the dialects, the engines, and where results come from."""
