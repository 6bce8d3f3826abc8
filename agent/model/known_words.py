"""The words that a model may show people: those of the question, of tables, and a few that say how data is read.

A document may tell a model what to say. What it tells in its own words, besides the answer, is shown only if all of
them are known: the table or period that it takes, the label of a group, the name of a column.
"""

import re
from collections.abc import Iterable
from functools import cached_property

from tablerag.agent.model.saying import COUNTED
from tablerag.tools.linking.keys import COMMON, DECIDED, key_of

__all__ = ["KnownWords", "table_parts"]

OF_TABLES = frozenset(
    """
    above absolute across actual actually added after again against age ago almost alone along already although
    amount amounts annual annually another appear appears asked assume assumed assuming avg back base based basis
    because become becomes begin beginning begins being below beside bottom bucket cal calc calculated calendar
    cannot case cases category cell cells cent change changed changes chart chosen class clear closed closest cnt
    code column columns combined common compare compared comparison complete completed computed condition contain
    contains converted correct corresponding could cover covered covers cum cumulative current currently daily data
    database date dates dated day days decrease decreased default defined deviation diff differ difference different
    direct distinct document documents does down drop due during earlier earliest early either else empty end ended
    ending ends entire entry entries equals especially even exact exactly example except exclude excluded excludes
    excluding exclusive exist existing exists expected fact factor fall false file files filled final finished
    fiscal five follow following follows form format former forth found four fourth frac fraction full fully further
    future gap general get given gives gross group grouped groups grow growth half happen header headers held here
    high hold holds hour hours idx inactive incl include included includes including inclusive increase increased
    index individual info information initial inside instead interval item items itself joined just key kind known
    label labels lag large larger largest late lately later latter lead left length level likely line lines listed
    listing lists literal low lowest make main major make mark marked match matched matches matching max maximum may
    mean meaning means meant measure measured median medium meet mention mentioned mentions merged might min minimum
    minor minus minute minutes missing mode month monthly months multiple must named names near nearest need needed
    negative neither net never new newer newest next nobody nominal non nor normal note null num numbers numeric
    occur odd official often older oldest only open opened option order ordered orders original others otherwise
    outside overall own page pair part partial parts passage passages past pct per percent percentage percentages
    period periods pick place plain plus point points position positive possible present previous printed prior
    product quarter quarterly quarters question questions quantity range rank ranked rate ratio raw read reading
    readings real recent record recorded records refer referred refers regard regarded regarding related relative
    remaining report reported reports represent respective respectively rest result results return right rise rn
    round rounded row rows running said say says scale season second seconds section see seem separate series set
    several share sheet sheets short shown shows side similar simple since single size small smaller smallest sort
    sorted source sources specific specified specify spelled standard start started starting starts state stated
    statement states status std step still stored string sub subset subtotal such sums sure table tables take taken
    text texts third thousand thousands three through thus tie tied ties time times title titles together totals
    true twice two type types unchanged unclear unfiltered unique unit units unknown until upper use used uses using
    usual val valid value values variant version versions visible want wanted way week weekday weekend weekly weeks
    well whether while whole within yoy qoq mom ytd mtd without word words works worksheet written wrong yearly
    years yet zero million millions billion billions january february march april may june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter
    morning afternoon evening night first last old aller alle als auch auf aus bei beide das dem den der des die
    diese diesem dieser ein eine einem einer eines es fur gesamt gesamte gesamten hat im ist jahr jahre jahres keine
    letzte letzten letztes mit monat nach neueste nicht nur oder ohne pro quartal seit sind spalte summe tabelle tag
    und von vor war welche welcher welches wert werte wird woche zu zum zur zwischen meinen annee au aucun aucune
    aux avec ce cet cette chaque colonne dans derniere dernier des donnee donnees du elle en entre est et feuille
    jour la le les leur mois ou par pas plus pour quel quelle quels quelles sans selon semaine somme sur tableau
    total totale tous toute toutes trimestre un une valeur
    """.split()
)
"""Words about tables, numbers and time. None of them tells anybody to do something."""
PIECE = re.compile(r"[^\W\d_]+|\d+")
PARTS = re.compile(r"<(question|tables|sql_result)>\n(.*?)\n</\1>", re.DOTALL)
SMALLEST, ENDING = 4, 3
"""Letters that forms of a word share at least, and by how many at the end they may differ."""
SMALL = 100
YEARS = range(1900, 2101)
MOST_SHORT = 3
"""Unknown pieces of one or two letters in a text, such as units: more could spell a word."""


def table_parts(messages: Iterable[str]) -> list[str]:
    """Return the parts of a conversation's messages that show tables, results and questions, and no passages."""
    return [found[2] for message in messages for found in PARTS.finditer(message)]


class KnownWords:
    """The words of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts

    @cached_property
    def _all(self) -> frozenset[str]:
        shown = key_of(" ".join(self._texts).replace("_", " "))
        return OF_TABLES | COMMON | DECIDED | frozenset(COUNTED) | frozenset(PIECE.findall(shown))

    def cover(self, text: str) -> bool:
        """Return whether all words of a text are known, other forms of them too, and all numbers, or small."""
        return not self.strange(text)

    def strange(self, text: str) -> list[str]:
        """Return the words and numbers of a text that are not known."""
        unknown = [p for p in PIECE.findall(key_of(text)) if p not in self._all]
        short = [p for p in unknown if len(p) < 3 and not p.isdigit()]
        return [p for p in unknown if (len(short) > MOST_SHORT if p in short else not self._is_like(p))]

    def _is_like(self, piece: str) -> bool:
        if piece.isdigit():
            return int(piece) <= SMALL or (len(piece) == 4 and int(piece) in YEARS)
        begins = piece[: max(SMALLEST, len(piece) - ENDING)]
        forms = len(piece) >= SMALLEST and any(
            w.startswith(begins) and len(w) <= len(piece) + ENDING for w in self._all
        )
        return forms or any(w.startswith(piece) for w in self._all)  # "qty" and "emp" of the names in statements
