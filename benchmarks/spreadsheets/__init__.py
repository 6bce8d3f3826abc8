"""Workbooks made up for measuring: as untidy as those that people hand around, with the truth about each table."""

from benchmarks.spreadsheets import (
    books_chinese_offices,
    books_chinese_schools,
    books_chinese_works,
    books_european,
    books_finance,
    books_japanese,
    books_people,
    books_schools,
    books_science,
    books_trade,
    held_out_chinese,
    held_out_chinese_offices,
    held_out_european,
    held_out_homes,
    held_out_services,
    held_out_two_chinese,
    held_out_two_english,
    held_out_two_romance,
)
from benchmarks.spreadsheets.sheets import Book, Truth

__all__ = ["BOOKS", "HELD_OUT", "HELD_OUT_TWO", "Book", "Truth"]

BOOKS: tuple[Book, ...] = (
    *books_chinese_offices.BOOKS,
    *books_chinese_schools.BOOKS,
    *books_chinese_works.BOOKS,
    *books_european.BOOKS,
    *books_finance.BOOKS,
    *books_japanese.BOOKS,
    *books_people.BOOKS,
    *books_schools.BOOKS,
    *books_science.BOOKS,
    *books_trade.BOOKS,
)

HELD_OUT: tuple[Book, ...] = (
    *held_out_chinese.BOOKS,
    *held_out_chinese_offices.BOOKS,
    *held_out_european.BOOKS,
    *held_out_homes.BOOKS,
    *held_out_services.BOOKS,
)
"""Books and truths written without a look at the code that finds tables, and not to be tuned for."""

HELD_OUT_TWO: tuple[Book, ...] = (
    *held_out_two_chinese.BOOKS,
    *held_out_two_english.BOOKS,
    *held_out_two_romance.BOOKS,
)
"""A second set of such books, on other themes."""
