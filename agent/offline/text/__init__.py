"""Answers from text: statements of passages that hold the kind of thing a question asks for."""
