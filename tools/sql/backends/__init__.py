"""The SQL databases that the program runs on, each behind one protocol."""
