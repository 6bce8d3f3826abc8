"""Tables found in documents: header, names, types, storage."""
