"""The README and docs/: every command and snippet in them works."""
