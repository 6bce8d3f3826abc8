"""The tokenizer of the embedded embedding: it cleans text and splits it into words and numbers, then word pieces.

All rules are stored in ``tokenizer.json``, so that training and use are the same.
"""

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from tablerag.tools.text import CAMEL, GROUPED, NOISE

__all__ = ["UNKNOWN", "new_tokenizer"]

UNKNOWN = "[UNK]"
PIECE = "##"
WORD = r"[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff\uf900-\ufaff]|[^\W\d_\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff]+|\d+"


def new_tokenizer() -> Tokenizer:
    """Return an untrained word-piece tokenizer with the rules of tools/text.py."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN, continuing_subword_prefix=PIECE))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(NOISE.pattern), " "),
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Replace(Regex(GROUPED.pattern), ""),
            normalizers.Replace(Regex(CAMEL.pattern), " "),
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
    tokenizer.decoder = decoders.WordPiece(prefix=PIECE)
    return tokenizer
