"""The kinds of questions that the grammar composes, by what they turn on."""
