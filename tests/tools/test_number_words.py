"""One vocabulary: every reader of numbers makes the same of every entry of the tables."""

from decimal import Decimal

import pytest

from tablerag.agent.disagreement import rounds_to
from tablerag.agent.model.grounding import numbers_in, strays
from tablerag.agent.offline.arithmetic.moments import years_of
from tablerag.agent.offline.arithmetic.vocabulary import MONEY_OF
from tablerag.agent.offline.hops.spans import spans_in
from tablerag.agent.offline.mention import read_words
from tablerag.agent.offline.question import read_question
from tablerag.agent.stated_numbers import stated_numbers, years_in
from tablerag.evaluation.metrics.tatqa import MULTIPLIERS
from tablerag.ingestion.readers.pdf_segments import NUMBER as PDF_NUMBER
from tablerag.ingestion.tables.cells import is_period
from tablerag.ingestion.tables.header_paths import has_year, is_unit
from tablerag.ingestion.tables.typing import caption_unit, type_column, unit_in
from tablerag.ingestion.tables.typing.numbers import is_currency, read_number
from tablerag.ingestion.tables.typing.spans import read_range
from tablerag.tools.calculator import calculate
from tablerag.tools.errors import FormulaRefused
from tablerag.tools.number_words import (
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    SCALE_LETTERS,
    SCALE_NAMES,
    SCALE_WORDS,
    SHARES,
    YEARS,
    answer_scale,
    currency_code,
    currency_sign,
    is_year,
    power_of,
    share_of,
)
from tablerag.tools.records import SupportingRows
from tablerag.tools.stated_scale import scale_in, scales_stated

SCALES = {**SCALE_WORDS, **SCALE_LETTERS}
LATIN = {w: p for w, p in SCALE_WORDS.items() if w[0].isascii()}
CODES = [(sign, code) for code, signs in CURRENCY_SIGNS.items() for sign in (code, *signs)]


def compared(text: str) -> float:
    (found,) = read_question(f"Which have more than {text}?").comparisons
    return found.number


READERS = {
    "calculator": lambda text: calculate(text).value,
    "running text": lambda text: stated_numbers(text)[0].value,
    "cell": lambda text: read_number(text).point,
    "column": lambda text: type_column("h", [text, text]).value(text),
    "question's comparison": compared,
    "question's mention": lambda text: read_words(text).numbers[-1][2],
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("word", SCALES)
def test_every_reader_gives_a_scale_beside_money_one_value(reader: str, word: str) -> None:
    for text in (f"$1.5 {word}", f"$1.5{word}", f"€ 1.5 {word.upper()}"):
        assert Decimal(str(READERS[reader](text))) == Decimal("1.5") * 10 ** SCALES[word], text


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("word", SCALE_WORDS)
def test_every_reader_gives_a_scale_word_without_money_one_value(reader: str, word: str) -> None:
    assert Decimal(str(READERS[reader](f"1.5 {word}"))) == Decimal("1.5") * 10 ** SCALE_WORDS[word]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("letter", SCALE_LETTERS)
def test_a_letter_before_a_currency_is_a_scale(reader: str, letter: str) -> None:
    value = READERS[reader](f"1.5{letter} EUR")
    assert Decimal(str(value)) == Decimal("1.5") * 10 ** SCALE_LETTERS[letter]


@pytest.mark.parametrize("header", ["Extramural performersb", "Owners m", "partnersm", "Centers bn"])
def test_money_in_the_middle_of_a_word_states_no_scale(header: str) -> None:
    assert scale_in(header) == unit_in(header).scale == ""


@pytest.mark.parametrize("letter", SCALE_LETTERS)
def test_a_letter_without_money_is_a_unit_in_a_cell_and_a_scale_in_a_formula(letter: str) -> None:
    cell = read_number(f"12{letter}")
    assert (cell.point, cell.unit) == (12, letter)
    assert calculate(f"12{letter}").value == 12 * 10 ** SCALE_LETTERS[letter]
    right_behind = SCALE_LETTERS[letter] if letter in "kmb" else 0
    assert stated_numbers(f"12{letter}")[0].value == 12 * 10**right_behind
    assert stated_numbers(f"12 {letter}")[0].value == 12


@pytest.mark.parametrize("word", LATIN)
def test_headers_captions_and_texts_state_the_scale_of_a_word(word: str) -> None:
    name = next(n for n, p in SCALE_NAMES.items() if p == LATIN[word])
    for header in (f"Revenue ($ {word})", f"Revenue ({word} EUR)", f"Revenue in {word}", f"EUR {word}"):
        assert scale_in(header) == unit_in(header).scale == name, header
    assert caption_unit(f"Sales ($ {word})").scale == caption_unit(f"Sales in {word} EUR").scale == name
    assert scales_stated(f"All figures are in {word}.") == scales_stated(f"RMB’{word} 2019") == {name}
    assert is_unit(f"($ {word})") and is_unit(f"(in {word})") and is_unit(f"EUR {word}")


@pytest.mark.parametrize("letter", SCALE_LETTERS)
def test_a_header_reads_a_letter_as_scale_beside_money_only(letter: str) -> None:
    name = next(n for n, p in SCALE_NAMES.items() if p == SCALE_LETTERS[letter])
    assert scale_in(f"Revenue ($ {letter})") == caption_unit(f"Sales (€ {letter})").scale == name
    assert scale_in(f"Revenue EUR{letter}") == ("" if letter == "t" else name)
    assert scale_in(f"Length ({letter})") == unit_in(f"Length ({letter})").scale == ""


def test_a_capital_t_before_the_euro_is_a_thousand_and_behind_a_dollar_a_trillion() -> None:
    assert [scale_in(h) for h in ("T€", "Umsatz TEUR", "GDP ($ t)")] == ["thousands", "thousands", "trillions"]
    assert calculate("$5t").value == 5 * 10**12


@pytest.mark.parametrize("word", [w for w in SCALE_WORDS if w not in LATIN])
def test_a_chinese_header_states_the_scale_of_a_word_at_its_end(word: str) -> None:
    assert SCALE_NAMES[scale_in(f"营业收入（{word}元）")] == SCALE_WORDS[word]
    assert SCALE_NAMES[scale_in(f"单位：{word}元")] == SCALE_WORDS[word]


@pytest.mark.parametrize("name", SCALE_NAMES)
def test_the_scale_of_a_column_is_the_same_to_typing_and_to_the_comparison_with_a_text(name: str) -> None:
    power = SCALE_NAMES[name]
    column = type_column(f"Revenue (in {name})", ["1", "2", "5 trillion"])
    assert column.scale == name
    assert column.value("5 trillion") == 5 * 10 ** (12 - power)
    rows = SupportingRows(table="t", columns=("a",), rows=((3,),), row_ids=(1,), total=1, units=(name,), used=("a",))
    (stated,) = stated_numbers(f"{3 * 10**power} pieces")
    assert rounds_to(Decimal(3), stated, [rows])


@pytest.mark.parametrize("word", SCALE_WORDS)
def test_the_scale_of_an_answer_is_named_or_none(word: str) -> None:
    names = {3: "thousand", 6: "million", 9: "billion"}
    assert answer_scale(word) == names.get(SCALE_WORDS[word], "")
    assert power_of(f" {word.upper()}. ") == SCALE_WORDS[word]


@pytest.mark.parametrize("word", ["hundred", "thousand", "million", "billion"])
def test_tatqas_official_metric_agrees_on_the_words_that_it_knows(word: str) -> None:
    assert MULTIPLIERS[word] == 10 ** SCALE_WORDS[word]


@pytest.mark.parametrize("word", SCALE_WORDS)
def test_grounding_takes_an_answer_in_another_word_for_the_same_number(word: str) -> None:
    known = numbers_in([f"It sold for $1.57 {word}."])
    assert strays(f"{157 * 10 ** SCALE_WORDS[word] // 100} dollars", known) == []
    assert strays(f"$1.57 {word}", known) == []


@pytest.mark.parametrize(("sign", "code"), CODES)
def test_every_reader_knows_every_currency(sign: str, code: str) -> None:
    for text in (f"{sign} 5", f"5 {sign}"):
        assert currency_code(calculate(text).unit) == code, text
        assert stated_numbers(text)[0].unit == code, text
        cell = read_number(text)
        assert (cell.point, currency_code(cell.unit), cell.is_currency) == (5, code, True), text
    assert currency_code(unit_in(f"Price ({sign})").unit) == code
    assert is_currency(sign) and is_unit(f"({sign})")
    assert currency_code(MONEY_OF.search(f"paid {sign} 5")[0]) == code
    assert compared(f"{sign} 5") == 5
    assert PDF_NUMBER.fullmatch(f"{sign} 5")
    assert calculate(f"{sign} 5 + {currency_sign(code)} 3").value == 8


@pytest.mark.parametrize("word", CURRENCY_WORDS)
def test_every_reader_knows_every_word_of_a_currency(word: str) -> None:
    text, code = f"5 {word}", CURRENCY_WORDS[word]
    assert currency_code(calculate(text).unit) == stated_numbers(text)[0].unit == code
    assert currency_code(read_number(text).unit) == currency_code(unit_in(f"Price ({word})").unit) == code


def test_pounds_alone_are_a_weight_and_crowns_of_no_country() -> None:
    assert stated_numbers("5 pounds")[0].unit == "lb"
    assert not is_currency("pounds")
    with pytest.raises(FormulaRefused):
        calculate("5 pounds")
    assert read_number("5 sek").is_currency is False
    assert currency_code("kr") == "kr"


@pytest.mark.parametrize("word", SHARES)
def test_every_reader_gives_a_share_one_size(word: str) -> None:
    text, whole = f"25 {word}", 25 * SHARES[word]
    assert (calculate(text).value / 100, calculate(text).unit) == (whole, "%")
    for number, unit in ((stated_numbers(text)[0].value, stated_numbers(text)[0].unit),
                         (read_number(text).point, read_number(text).unit)):  # fmt: skip
        assert number * SHARES[unit] == whole and unit == share_of(word)
    assert unit_in(f"Change ({word})").unit == share_of(word)


@pytest.mark.parametrize("year", [1500, 1600, 1789, 1899, 1900, 1999, 2024, 2099, 2100])
def test_every_reader_takes_a_bare_number_from_1500_to_2100_for_a_year(year: int) -> None:
    text = str(year)
    assert years_in(f"in {text} it rose") == {text} and stated_numbers(f"in {text} it rose") == []
    assert years_of(f"in {text}") == (text,)
    assert has_year(f"Year {text}") and is_period(text) and is_year(year)
    assert [s.text for s in spans_in(f"It opened in {text}.") if s.kind == "year"] == [text]
    assert read_range(f"{text}-").is_years and type_column("h", [text] * 3).kind == "year"


@pytest.mark.parametrize("number", [999, 1499, 2101, 3000])
def test_no_reader_takes_a_bare_number_outside_for_a_year(number: int) -> None:
    text = str(number)
    assert years_in(f"in {text} it rose") == set() == set(years_of(f"in {text}"))
    assert not has_year(f"Year {text}") and not is_period(text)


def test_where_years_are_asked_for_they_begin_with_1000() -> None:
    assert (YEARS[0], YEARS[-1]) == (1000, 2100)
    assert type_column("Founded", ["1066", "1215", "1492"]).kind == "year"
    assert [s.text for s in spans_in("He landed in 1066.") if s.kind == "year"] == ["1066"]
    assert type_column("Founded", ["2101", "2215", "2492"]).kind == ""


def test_which_separator_marks_decimals_is_decided_by_the_column() -> None:
    assert (read_number("1.234").point, read_number("1.234").comma) == (Decimal("1.234"), 1234)
    assert type_column("h", ["1.234", "5,5"]).value("1.234") == 1234
    assert calculate("1.234").value == stated_numbers("1.234 tons")[0].value == Decimal("1.234")
