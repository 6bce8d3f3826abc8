"""Questions whose answer needs a row of a table and a passage that one of its cells names: two hops, either way."""
