"""Presentation: values with their units, tables and series, as people read them."""
