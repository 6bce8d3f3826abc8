"""The graphs that LangGraph serves; each module exports build() and graph."""
