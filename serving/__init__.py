"""The page and its routes, served by the LangGraph server next to its own."""
