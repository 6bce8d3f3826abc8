"""The yardstick of PDF text: the best of pdftotext's orders for each page, without running titles."""

from benchmarks.pdf_text import shares, without_running_lines, words_of


def test_each_page_counts_in_the_order_that_agrees_most() -> None:
    by_column = ["name Anna Bo city Kiel Bern", "one two three"]
    by_line = ["name city Anna Kiel Bo Bern", "three two one"]
    found = "name city anna kiel bo bern one two three".split()
    assert shares([by_column, by_line], found, {1}).pairs_beside_tables == 1
    assert shares([by_column, by_line], found).pairs == 1
    assert shares([by_column], found).pairs < 1


def test_a_word_is_found_as_often_as_it_is_there() -> None:
    assert shares([["no no no", "no"]], ["no", "no"]).words == 0.5


def test_running_lines_are_those_at_the_edge_of_several_pages() -> None:
    pages = [f"Report 2024 | {n}\n\nChapter {'abc'[n]}\nNorth\nSouth\nEast {'abc'[n]}\n\n{n}\n" for n in range(3)]
    assert [page.split() for page in without_running_lines(pages)] == [
        ["Chapter", letter, "North", "South", "East", letter] for letter in "abc"
    ]


def test_powers_and_ligatures_count_in_either_spelling() -> None:
    found = shares([["10\u2076 ا\u0625لنتاج"]], words_of("106 ال\u0625نتاج"))
    assert found.words == found.pairs == 1
