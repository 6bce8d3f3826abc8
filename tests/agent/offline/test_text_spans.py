"""The parts of a sentence that may be an answer, and how text is cut into statements."""

import pytest

from tablerag.agent.offline.text.asked import read_text_question
from tablerag.agent.offline.text.spans import spans_of
from tablerag.agent.offline.text.statements import sentences_of, statements_of
from tablerag.tools.records import Chunk


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many days of leave are there?", "count"),
        ("Within how many days must it be paid?", "count"),
        ("How much does the roof cost?", "amount"),
        ("What is the monthly rent?", "amount"),
        ("How long is the notice period?", "duration"),
        ("How often are drills held?", "frequency"),
        ("cleaning interval of the steriliser", "frequency"),
        ("How tall is the tower?", "measure"),
        ("By when is it due?", "date"),
        ("deadline for grant applications", "duration"),
        ("At what time does it open?", "time"),
        ("In which year was it built?", "year"),
        ("Where are keys kept?", "place"),
        ("By whom was it approved?", "who"),
        ("Which company repairs the roof?", "who"),
        ("Why was it closed?", "reason"),
        ("Is smoking allowed?", "yes_no"),
        ("What is the phone number of the desk?", "code"),
        ("What must visitors wear?", "statement"),
        ("Wie viele Tage Urlaub gibt es?", "count"),
        ("Wie hoch ist die Pauschale?", "measure"),
        ("Wie lange gilt der Vertrag?", "duration"),
        ("Wann beginnt die Sitzung?", "date"),
        ("Wo liegt der Schlüssel?", "place"),
        ("Wer leitet das Lager?", "who"),
        ("Warum ist es geschlossen?", "reason"),
        ("Combien de jours de congé ?", "count"),
        ("Combien coûte le stand ?", "amount"),
        ("Quand commence la réunion ?", "date"),
        ("Où se trouve le stand ?", "place"),
        ("Qui réserve les hôtels ?", "who"),
        ("Pourquoi est-il fermé ?", "reason"),
    ],
)
def test_the_kind_that_is_asked_for(question: str, kind: str) -> None:
    assert read_text_question(question).kinds[0] == kind


@pytest.mark.parametrize(
    ("question", "sentence", "spans"),
    [
        ("Who checks it?", "Claims are checked by Dr. Anna K. Kraus, e.g. in May.", ["Dr. Anna K. Kraus"]),
        ("Who supplied it?", "Our pump was supplied by Kelso & Byrne Ltd. in 2018.", ["Kelso & Byrne Ltd"]),
        ("Who pays it?", "EUR 1,250.50 is paid by Sean O'Hara.", ["Sean O'Hara"]),
        ("Who approves it?", "It is approved by the head of department.", ["the head of department"]),
        ("Wer prüft es?", "Seit Februar 2025 prüft Frau Dr. Sabine Vogt die Belege.", ["Frau Dr. Sabine Vogt"]),
        ("How much is it?", "It costs EUR 1,250.50 per night or 0,38 EUR pro Kilometer.", None),
        ("How much is it?", "In 2026 a second one is bought.", []),
        ("When is it?", "It is on Saturday 28 June 2025, or 3.5.2025, or from 6 to 24 January 2026.", None),
        ("How often is it done?", "It is done every two years, then monthly.", ["every two years", "monthly"]),
        ("How long does it take?", "It takes six to eight weeks.", ["six to eight weeks"]),
        ("How many people came?", "On 3 May 1,340 people came, 85 of them late.", ["1,340 people"]),
        ("How many employees are there?", "Employees have 27 days of leave.", []),
        ("Where is it kept?", "It is kept in cabinet 12 behind the reception until May.", None),
        ("Where does it stand?", "It stands in Lyon in May.", ["Lyon"]),
        ("Why is it late?", "It is late because the permits, e.g. for the roof, are missing.", None),
        ("Why is it late?", "It has been late since 3 May.", []),
        ("What is the e-mail of the desk?", "Write to desk@ardent.example.", ["desk@ardent.example"]),
        ("What is the phone number?", "Call +44 20 7946 0812.", ["+44 20 7946 0812"]),
    ],
)
def test_spans_are_whole(question: str, sentence: str, spans: list[str] | None) -> None:
    asked = read_text_question(question)
    found = [s.text for s in spans_of(asked.kind, asked, sentence)]
    expected = {
        "It costs": ["EUR 1,250.50 per night", "0,38 EUR pro Kilometer"],
        "It is on": ["Saturday 28 June 2025", "3.5.2025", "6 to 24 January 2026"],
        "It is kept": ["cabinet 12 behind the reception"],
        "It is late": ["the permits, e.g. for the roof, are missing"],
    }
    assert found == (next(v for k, v in expected.items() if sentence.startswith(k)) if spans is None else spans)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Anna Kraus came. She left.", ["Dr. Anna Kraus came.", "She left."]),
        ("It costs EUR 1,250.50. Pay now.", ["It costs EUR 1,250.50.", "Pay now."]),
        ("Use paper, e.g. A4. Then print.", ["Use paper, e.g. A4.", "Then print."]),
        ("Am 3. Mai 2025 kam J. Berg. Er ging.", ["Am 3. Mai 2025 kam J. Berg.", "Er ging."]),
        ("It was bought from Novasafe Inc. The price fell.", ["It was bought from Novasafe Inc.", "The price fell."]),
    ],
)
def test_sentences_end_at_their_ends(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


def test_entries_lists_and_headings_are_told_apart() -> None:
    text = (
        "Quality manual\nApproved by: M. Duran  Version: 3.2\n1. Tools\nTools are kept in the shed and\n"
        "cleaned weekly.\nBring:\n- a hammer\n- two nails\nWeight | 640 kg"
    )
    chunk = Chunk(id="c", text=text, kind="text", document_id="d", source="manual.txt", title="Quality manual")
    found = [(s.key, s.text, s.heading) for s in statements_of(chunk)]
    assert found == [
        ("Approved by", "Approved by: M. Duran", "Quality manual"),
        ("Version", "Version: 3.2", "Quality manual"),
        ("", "Tools are kept in the shed and cleaned weekly.", "Tools"),
        ("", "Bring:", "Tools"),
        ("", "a hammer", "Tools"),
        ("", "two nails", "Tools"),
        ("Weight", "Weight: 640 kg", "Tools"),
    ]
    assert statements_of(chunk)[3].items == ("a hammer", "two nails")
