"""Who may do what: the corpus that a request names, and where writing requests may come from."""

from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from tablerag.tools.access.keys import allowed_corpora, key_in, may_use
from tablerag.tools.services import Services

__all__ = ["allowed", "corpus_of", "new_corpus_of", "refuse_foreign_origin"]

MAX_CORPUS_CHARS = 60


def allowed(request: Request, corpus: str) -> bool:
    """Say whether whoever asks may use a corpus: every route asks here, and nowhere else.

    Raises HTTPException 401 for a request without a key, or with one that is not known, where keys are set.
    """
    if not allowed_corpora(key_in(request.headers)):
        raise HTTPException(401, "this server asks for an API key: give yours in the page's settings")
    return may_use(request.headers, corpus)


def corpus_of(request: Request, services: Services) -> str:
    """Return the corpus that ``?corpus=`` names, else the deployment's; 404 where there is none that may be seen."""
    default = services.settings.corpus
    corpus = request.query_params.get("corpus") or default
    # What may not be seen reads like what is not there.
    if not allowed(request, corpus) or (corpus != default and corpus not in services.catalog.corpora()):
        raise HTTPException(404, f"there is no corpus {corpus[:MAX_CORPUS_CHARS]!r}: choose one of /app/api/corpora")
    return corpus


def new_corpus_of(request: Request, services: Services) -> str:
    """Return the corpus that documents are to go into, which need not be there yet; 400 for an odd name."""
    corpus = request.query_params.get("corpus") or services.settings.corpus
    if not allowed(request, corpus):
        raise HTTPException(403, f"the corpus {corpus[:MAX_CORPUS_CHARS]!r} may not be written to with this key")
    known = corpus == services.settings.corpus or corpus in services.catalog.corpora()
    plain = corpus.isprintable() and corpus == corpus.strip() and "/" not in corpus and "\\" not in corpus
    if not known and (not plain or len(corpus) > MAX_CORPUS_CHARS):
        raise HTTPException(
            400,
            f"a corpus cannot be called that: give up to {MAX_CORPUS_CHARS} letters, digits and signs without / or \\",
        )
    return corpus


def refuse_foreign_origin(request: Request) -> None:
    """Raise 403 for a request that another site's page made: browsers name the site, other clients need not."""
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    own = request.headers.get("host", "")
    if (origin is not None and urlsplit(origin).netloc != own) or site not in ("same-origin", "none"):
        raise HTTPException(403, f"a page of {origin or 'another site'} may not write here: use the page at {own}/app/")
