"""The page at /app on the LangGraph server, and the HTTP routes behind it."""
