"""Connected databases: asked beside the documents, never copied. One file for each engine."""
