"""Arithmetic over named rows and years of tables: what both graphs' embedded reasoners read by the same rules."""
