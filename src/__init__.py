"""Answers questions over folders of documents: numbers by SQL over whole tables, checked and cited."""
