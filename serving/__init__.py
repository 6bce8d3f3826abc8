"""What stands between the LangGraph server and its clients."""
