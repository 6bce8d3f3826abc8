"""From a file to typed SQL tables and indexed chunks."""
