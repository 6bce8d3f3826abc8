"""The graph's nodes, one file each: plain functions from state to a partial update."""
