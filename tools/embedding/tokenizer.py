"""The embedded embedding's tokenizer: text made clean, cut into words and numbers, then into word pieces.

All of it is data of one ``tokenizer.json``, so that what was trained is what runs.
"""

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

__all__ = ["UNKNOWN", "new_tokenizer"]

UNKNOWN = "[UNK]"
PIECE = "##"
WORD = r"[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff\uf900-\ufaff]|[^\W\d_\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff]+|\d+"


def new_tokenizer() -> Tokenizer:
    """Return an untrained word-piece tokenizer with the rules of tools/text.py."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN, continuing_subword_prefix=PIECE))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(r"\|?[ :]*-{3,}[ :|-]*|\bnan\b|\bUnnamed: \d+\b|\bcolumn_\d+\b"), " "),
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Replace(Regex(r"(?<=\d)[,' \u202f](?=\d{3}(?!\d))"), ""),
            normalizers.Replace(Regex(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"), " "),
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
    tokenizer.decoder = decoders.WordPiece(prefix=PIECE)
    return tokenizer
