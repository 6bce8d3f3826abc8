"""Whether a model's RECAP rests on the document that it was shown: its formula's figures, its numbers, its words."""

from agent.grounding import numbers_in, strays, unknown_figures
from agent.hd_rag.reasoning import Recap, RecapTask
from agent.quoting import verbatim
from tools.calculator import figures

__all__ = ["ungrounded"]


def ungrounded(recap: Recap, task: RecapTask) -> str:
    """Say what of an answer the document does not hold; "" where it holds all, or there is no answer.

    A computed answer is as good as the figures of its formula. Words are those of a passage, up to spelling; numbers
    stand in the document or the question, up to rounding and scale.
    """
    if not recap.answer:
        return ""
    known = numbers_in([task.question, *(f"{p.title} {p.text}" for p in task.passages)])
    if recap.question_type == "arithmetic" and recap.formula:
        if not any(c.isdigit() for a in recap.answer for c in a):
            return f"{'; '.join(recap.answer)} is no number, and arithmetic gives one"
        strange = unknown_figures(figures(recap.formula), known)
        return f"{', '.join(strange)} in the formula stands nowhere in the document: use its figures" if strange else ""
    if recap.question_type == "count":
        return ""
    strange = [s for a in recap.answer for s in strays(a, known, combined=recap.question_type == "arithmetic")]
    strange += [a for a in recap.answer if not any(c.isdigit() for c in a) and not _stands(a, task)]
    if strange:
        return f"{', '.join(strange)} in the answer stands nowhere in the document: answer with what does"
    return ""


def _stands(words: str, task: RecapTask) -> bool:
    """Tell whether a passage, its title or the question holds these words."""
    return any(verbatim(words, text) for p in task.passages for text in (p.text, p.title)) or bool(
        verbatim(words, task.question)
    )
