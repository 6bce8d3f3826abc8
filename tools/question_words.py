"""Words that say how is asked and not about what, per language; none of them is searched for.

They are rare in tables, so a lexical score would weigh them heavily. Lower case, no accents, unspaced
scripts as pairs of characters, as tools/text.py cuts words.
"""

from collections.abc import Sequence

__all__ = ["question_words"]

ENGLISH = """
    a about all also am an and any are as at be been being both but by can could did do does doing each either ever for
    from get give given had has have having he her hers him his how i if in into is it its itself just least less let
    list many may me might more most much must my name neither no nor not of on one only or other our out over per
    please same shall she should show since so some such tell than that the their theirs them then there these they
    this those through to too under until up us very was we were what whats when where whether which while who whom
    whose why will with within without would you your
    data sheet spreadsheet table tables
"""
GERMAN = """
    aber alle als am an auch auf aus bei bin bis bitte das dass dem den der des die durch ein eine einem einen einer
    eines er es fur gab gibt haben hat hatte hatten ich ihr im in ist kann konnen man mehr meisten mit nach nicht oder
    pro sein sich sie sind uber um und unter viel viele vom von vor wann war waren warum was welche welchem welchen
    welcher welches wem wen wenn wer werden wessen wie wieviel wieviele wird wo wurde wurden zeige zu zum zur zwischen
"""
FRENCH = """
    a ai au aux avec ce ces cet cette combien comment d dans de des du elle en entre est et etaient etait ete etre eu il
    ils je l la le les leur mais ne nous on ont ou par pas plus pour pourquoi qu quand que quel quelle quelles quels qui
    quoi sa sans se ses son sont sur un une y
"""
SPANISH = """
    al algun como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos el ella en entre era eran
    es esa ese esta estas este estos fue fueron ha hay la las lo los mas menos muestra no o para pero por porque que
    quien quienes se segun ser sin sobre son su sus un una unas uno unos y
"""
ITALIAN = """
    a ai al alla alle anche che chi ci come con cosa da dai dal dalla de dei del della delle di dove e era erano gli ha
    hanno i il in la le lo ma nel nella non o per piu quale quali quando quanta quante quanti quanto si sono su sua sul
    sulla suo tra un una
"""
PORTUGUESE = """
    ao aos as com como da das de do dos e em entre era eram essa esse esta este foi foram ha mais mas mostre na nas nao
    no nos o onde os ou para pela pelo por qual quais quando quanta quantas quanto quantos que quem sao se sem seu sua
    um uma
"""
DUTCH = """
    aan als bij dat de deze die dit door een en er had heeft hebben het hoe hoeveel ik in is kan maar meer meest met na
    naar niet of om onder op over per te tot tussen uit van veel voor waar waarom wanneer waren was wat welk welke werd
    wie wordt zijn
"""
CHINESE = """
    什么 甚么 哪个 哪些 哪里 哪家 哪位 哪一 哪种 哪年 多少 几个 如何 怎么 怎样 为什 是否 是什 是多 的是 有多 有哪 一个
    请问 是哪 多大
"""
JAPANESE = """
    です ます した ました はい いく くつ どの どれ どこ 何で 何人 何年 いつ だれ です か
"""

SPACED = {
    name: frozenset(words.split())
    for name, words in (
        ("en", ENGLISH),
        ("de", GERMAN),
        ("fr", FRENCH),
        ("es", SPANISH),
        ("it", ITALIAN),
        ("pt", PORTUGUESE),
        ("nl", DUTCH),
    )
}
UNSPACED = frozenset(f"{CHINESE} {JAPANESE}".split())


def question_words(words: Sequence[str]) -> frozenset[str]:
    """Return the question words of the language that most of the query's words speak for, English at a tie.

    One language's only: German ``war`` and French ``son`` are nouns in an English question.
    """
    present = set(words)
    spoken = max(SPACED, key=lambda name: (len(SPACED[name] & present), name == "en"))
    return SPACED[spoken] | UNSPACED
