"""What the LangGraph server serves beside its own routes, and what stands between it and its clients."""
