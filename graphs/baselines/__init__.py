"""Systems to compare with, each a graph of its own: build() and graph."""
