"""What a client of the stress test does to its documents, and how it finds them after a restart."""

import time

from benchmarks.stress_connection import BUSY, Connection, Cut
from benchmarks.stress_documents import ABSENT, DEPOTS, FORMATS, Content, Document, Question

__all__ = ["Uploads"]

JOB_S = 240.0
"""Seconds after which the job of an upload is stuck."""
POLLED_S = 0.3


class Uploads(Connection):
    """A client with documents of its own, in a corpus that it shares with others."""

    def __init__(self, *args, words: list[str], **more) -> None:
        super().__init__(*args, **more)
        self.words = words
        self.documents: list[Document] = []
        self.removed: list[tuple[Document, Question, set[int]]] = []
        """Removed documents, each with a question and what the answer was."""

    def some(self) -> Document:
        """Return one of its documents, one that is certainly there if there is any."""
        return self.chance.choice([d for d in self.documents if d.is_present] or self.documents)

    def upload(self) -> None:
        """Upload a new document, or one that was removed long ago, and ask about it."""
        if not self.words:
            self.words.append(self.removed.pop(0)[0].name)
        document = Document(self.words.pop(0), self.corpus, self.chance.choice(FORMATS))
        self.documents.append(document)
        self.put(document)

    def replace(self) -> None:
        """Upload another version of a document, and ask about it."""
        self.put(self.some())

    def put(self, document: Document) -> None:
        """Send a version, wait until it is reported as done, and ask about it."""
        content = Content.made(document.name, self.chance)
        document.possible.append(content)
        files = {"files": (document.source, content.file(document.name, document.suffix))}
        reply = self.send("POST", "/app/api/uploads", params={"corpus": self.corpus}, files=files)
        if reply.status_code != 202:
            if reply.status_code < 500 or reply.status_code in BUSY:
                document.possible.pop()
            self.odd(f"upload answered {reply.status_code}", reply=reply.text[:500])
            return
        job = self.ended(reply.json()["job"])
        if not job:
            return
        statuses = [d["status"] for d in (job["report"] or {"documents": []})["documents"]]
        if job["state"] != "done" or statuses not in (["added"], ["replaced"], ["unchanged"]):
            self.odd(f"upload {job['state']}, {statuses}", job=job, document=document.source)
            return
        document.possible = [content]
        self.count("done")
        self.ask("", document.question(self.chance), document)

    def ended(self, job: str) -> dict | None:
        """Return the job of an upload when it has ended, or None if it takes too long."""
        deadline = time.monotonic() + JOB_S
        while (found := self.send("GET", f"/app/api/uploads/{job}")).status_code == 200:
            if found.json()["state"] != "running":
                return found.json()
            if time.monotonic() > deadline:
                self.odd("stuck", job=found.text[:500])
                return None
            self.world.sleep(POLLED_S)
        raise Cut  # a new server does not know it

    def remove(self) -> None:
        """Remove a document, and see that it is not listed any more."""
        document, listed = self.some(), self.listed()
        if document.source not in listed:
            if document.is_present:
                self.odd("lost", document=document.source, listed=sorted(listed))
            return
        question = document.total_of(DEPOTS[0])
        values = document.values(question)
        document.possible.append(ABSENT)
        reply = self.send("DELETE", f"/app/api/documents/{listed[document.source]}", params={"corpus": self.corpus})
        if reply.status_code != 200:
            self.odd(f"removal answered {reply.status_code}", reply=reply.text[:500])
            return
        document.possible = [ABSENT]
        self.documents.remove(document)
        self.removed.append((document, question, values))
        self.count("removed")
        if document.source in self.listed():
            self.odd("returned", document=document.source)

    def listed(self) -> dict[str, str]:
        """Return the ids of the corpus's documents by their file names."""
        found, total = dict[str, str](), 1
        while len(found) < total:
            reply = self.send("GET", "/app/api/documents", params={"corpus": self.corpus, "offset": len(found)})
            if reply.status_code == 404:  # nothing was uploaded yet
                break
            page = reply.json()
            total = page["total"] if page["documents"] else 0
            found |= {d["source"]: d["id"] for d in page["documents"]}
        return found

    def check(self) -> None:
        """See that no document is lost and none has returned, ask about each, and repeat what a restart cut off."""
        listed = self.listed()
        for document in self.documents:
            if document.source in listed:
                self.ask("", document.question(self.chance), document)
            elif document.is_present:
                self.odd("lost", document=document.source, listed=sorted(listed), versions=len(document.possible))
        for document, _, _ in self.removed:
            if document.source in listed:
                self.odd("returned", document=document.source)
        for document in self.documents:
            if not document.is_sure:
                self.put(document)
