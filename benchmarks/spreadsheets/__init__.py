"""Workbooks made up for measuring: as untidy as those that people hand around, with the truth about each table."""

from benchmarks.spreadsheets import books_finance
from benchmarks.spreadsheets.sheets import Book, Truth

__all__ = ["BOOKS", "Book", "Truth"]

BOOKS: tuple[Book, ...] = (*books_finance.BOOKS,)
