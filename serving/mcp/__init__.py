"""TableRAG as tools of MCP clients, over standard input and output and over HTTP."""
