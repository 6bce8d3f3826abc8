"""Two hops: answers that need a table row and a passage that one of its cells names, in either order."""
