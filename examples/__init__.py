"""A small corpus of our own in every format, with questions whose answers are known."""
