"""The embedded embedding: vectors made on this machine, with nothing to download."""
