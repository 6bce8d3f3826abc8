"""What the nodes call: stores, guard, retriever; nothing here knows the graph or its state."""
