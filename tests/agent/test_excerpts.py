"""Which sentences of a passage are shown where the whole would be too long."""

from tablerag.agent.excerpts import excerpt

TEXT = "Ada Finch (born 2 May 1950) is a sailor. She lives in Kiel. She won the cup in 1981. She keeps bees."


def test_the_first_sentence_and_those_about_the_question_are_shown() -> None:
    assert excerpt(TEXT, "When did she win the cup?", 200) == TEXT
    assert excerpt(TEXT, "Which cup?", 70) == "Ada Finch (born 2 May 1950) is a sailor. … She won the cup in 1981. …"


def test_what_was_read_gives_way_to_what_was_not() -> None:
    known = "Ada Finch (born 2 May 1950) is a sailor. … She won the cup in 1981. …"
    assert excerpt(TEXT, "Which cup?", 70, known) == "Ada Finch (born 2 May 1950) is a sailor. She lives in Kiel. …"


def test_a_long_first_sentence_is_cut_and_not_left_out() -> None:
    assert excerpt(TEXT, "Which cup?", 30) == "Ada Finch (born 2 May 1950) is …"
    assert excerpt(f"Kiel\n{TEXT.replace('.', ',')}", "Which cup?", 30) == "Kiel\nAda Finch (born 2 May 195 …"
    assert excerpt(" " * 50, "Which cup?", 30) == " …"
