"""Corpora of business tables with questions and answers, to train and calibrate the embedded reasoner on.

``python -m training.business --out DIR`` writes them; the words are in the text files beside this one.
"""
