"""Which sentences of a passage are shown where the whole would be too long."""

from tablerag.agent.excerpts import excerpt

TEXT = "Ada Finch (born 2 May 1950) is a sailor. She lives in Kiel. She won the cup in 1981. She keeps bees."


def test_the_first_sentence_and_those_about_the_question_are_shown() -> None:
    assert excerpt(TEXT, "When did she win the cup?", 200) == TEXT
    assert excerpt(TEXT, "Which cup?", 70) == "Ada Finch (born 2 May 1950) is a sailor. … She won the cup in 1981. …"


def test_what_was_read_gives_way_to_what_was_not() -> None:
    known = "Ada Finch (born 2 May 1950) is a sailor. … She won the cup in 1981. …"
    assert excerpt(TEXT, "Which cup?", 40, known) == "… She lives in Kiel. … She keeps bees."


def test_rare_words_tell_more_and_those_of_the_title_nothing() -> None:
    text = "Sonic is a series. It is a Sonic series for Sonic fans. It was edited by Leonard. Sonic runs."
    asked = "Who was the editor of the Sonic series? Sonic; Sonic series"
    assert excerpt(text, asked, 50, title="Sonic") == "Sonic is a series. … It was edited by Leonard. …"


def test_a_reason_stands_behind_what_was_done() -> None:
    text = "The board met in Kiel. It read the report. It postponed the barge. Steel was too dear. Nobody left early."
    assert excerpt(text, "Why did the board postpone the barge?", 75) == (
        "The board met in Kiel. … It postponed the barge. Steel was too dear. …"
    )


def test_who_is_older_is_told_by_when_they_were_born() -> None:
    text = "Ada Finch is a sailor. She won the cup in 1981. She was born in 1950. She keeps bees."
    assert excerpt(text, "Which sailor is older?", 55) == "Ada Finch is a sailor. … She was born in 1950. …"


def test_a_long_first_sentence_is_cut_and_not_left_out() -> None:
    assert excerpt(TEXT, "Which cup?", 30) == "Ada Finch (born 2 May 1950) is …"
    assert excerpt(" " * 50, "Which cup?", 30) == " …"
