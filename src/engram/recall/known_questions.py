"""The vectors of the last questions: who asks again, as hooks and agents do, waits for no model."""

from collections import OrderedDict
from hashlib import blake2b

from engram.recall.embed_question import QuestionVector, WantedVector
from engram.storage.per_process import PerProcess

MOST = 1_024  # vectors of 384 numbers: 1.5 MB
_Key = tuple[str, str, bytes]


class KnownQuestions:
    """A bounded table of vectors. It holds digests and no question, and each caller has their own.

    A vector that others share would tell by its speed that somebody has asked the same.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._vectors: PerProcess[OrderedDict[_Key, QuestionVector]] = PerProcess(OrderedDict)

    def find(self, asker: str, wanted: WantedVector) -> QuestionVector | None:
        """The vector of a question that this caller has asked before, by the same embedder."""
        key = _key(asker, wanted)
        with self._vectors.held() as vectors:
            found = vectors.get(key) if key else None
            if key is None or found is None:
                return None
            vectors.move_to_end(key)
            return QuestionVector(wanted.space, found.vector)

    def keep(self, asker: str, wanted: WantedVector, made: QuestionVector) -> None:
        """Keep a vector; the one that nobody has asked for longest gives way."""
        key = _key(asker, wanted)
        if key is None or made.vector is None:
            return
        with self._vectors.held() as vectors:
            vectors[key] = made
            vectors.move_to_end(key)
            while len(vectors) > self._most:
                vectors.popitem(last=False)


def _key(asker: str, wanted: WantedVector) -> _Key | None:
    if wanted.embedder is None:
        return None
    digest = blake2b(wanted.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return asker, wanted.embedder.identity, digest
