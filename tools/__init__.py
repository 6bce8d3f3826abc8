"""The stores, the guard, the retriever and other tools of the nodes; independent of the graph and its state."""
