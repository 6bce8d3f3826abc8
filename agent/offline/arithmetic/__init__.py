"""Arithmetic over named rows and years of tables, by rules that both graphs' embedded reasoners share."""
