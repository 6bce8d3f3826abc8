"""The attacks of ``tablerag selftest --security`` beside those of SQL's list, one kind a function."""
