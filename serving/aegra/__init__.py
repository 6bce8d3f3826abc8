"""Serves on Aegra (Apache-2.0), the LangGraph server's API on PostgreSQL: any number of processes share the threads."""
