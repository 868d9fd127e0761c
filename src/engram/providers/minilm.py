"""The embedder in the package: a copy of all-MiniLM-L6-v2 trained further, run on this machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import EmbedderUnavailable
from engram.providers.embedder import shortened, well_formed
from engram.providers.load_once import LoadOnce
from engram.providers.onnx_model import (
    OnnxModel,
    give_back_freed_memory,
    native_errors_as,
    open_onnx_model,
)

if TYPE_CHECKING:
    from engram.providers.embedder import Vectors

PACKAGED_FOLDER = Path(__file__).parent / "models" / "minilm"
# The model reads 256 tokens; a token is rarely longer than ten characters, and cutting here keeps
# a megabyte from being tokenized for its first page.
_MOST_CHARACTERS = 16_384
_BROKEN_HINT = "Its files are damaged or missing; reinstall Engram. Until then recall goes by text."
_RUN_HINT = "The built-in model could not run; is there enough memory? Recall goes by text."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the files beside it must be, and how text is prepared for them."""

    name: str
    dimension: int
    max_tokens: int
    preparation: int
    model_sha256: str
    tokenizer_sha256: str

    @property
    def identity(self) -> str:
        """Names the vector space by what its vectors are computed with."""
        both = hashlib.sha256(f"{self.model_sha256}{self.tokenizer_sha256}".encode()).hexdigest()
        return f"onnx:{self.name}:{both[:16]}:t{self.max_tokens}p{self.preparation}"


class MiniLmEmbedder:
    """Embeds on this machine's processor; no text leaves it."""

    def __init__(self, *, threads: int = 2, folder: Path = PACKAGED_FOLDER) -> None:
        self._folder = folder
        self._threads = threads
        self._manifest = _read_manifest(folder)
        self._model = LoadOnce(self._load, unavailable=EmbedderUnavailable)

    @property
    def identity(self) -> str:
        """The hashes of the files and the way text is prepared, from the manifest beside them."""
        return self._manifest.identity if self._manifest else "onnx:unreadable"

    @property
    def dimension(self) -> int | None:
        """384; None when the package is damaged."""
        return self._manifest.dimension if self._manifest else None

    @property
    def is_loaded(self) -> bool:
        """Whether `embed` would begin at once."""
        return self._model.is_loaded

    @property
    def is_prompt(self) -> bool:
        """Once the model is there it only computes, for some milliseconds."""
        return self._model.is_loaded

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text; the same to the last bit whatever else is embedded with it."""
        with native_errors_as(EmbedderUnavailable, hint=_RUN_HINT):
            import numpy as np

            from engram.providers.unit_rows import unit_rows

            model = self._model.value()
            rows = np.empty((len(texts), self.dimension or 0), dtype=np.float32)
            for index, text in enumerate(texts):
                prepared = well_formed(shortened(text, _MOST_CHARACTERS))
                rows[index] = unit_rows(model.run(model.tokenizer.encode(prepared)))[0]
            return rows

    def warm(self) -> None:
        """Load in the background."""
        self._model.warm()

    def close(self) -> None:
        """Let go of the model."""
        was_loaded = self._model.is_loaded
        self._model.close()
        if was_loaded:
            give_back_freed_memory()  # a process that lives on is small again

    def _load(self) -> OnnxModel:
        if self._manifest is None:
            raise EmbedderUnavailable(hint=_BROKEN_HINT)
        with native_errors_as(EmbedderUnavailable, hint=_BROKEN_HINT):
            loaded = open_onnx_model(
                _checked(self._folder / "model.onnx", self._manifest.model_sha256),
                _checked(self._folder / "tokenizer.json", self._manifest.tokenizer_sha256),
                max_tokens=self._manifest.max_tokens,
                threads=self._threads,
            )
        give_back_freed_memory()
        return loaded


def _checked(file: Path, expected: str) -> Path:
    """The file, only if it holds the bytes that the manifest names."""
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != expected:
        raise EmbedderUnavailable(hint=_BROKEN_HINT)
    return file


def _read_manifest(folder: Path) -> Manifest | None:
    """The manifest, or None when it cannot be read: a damaged package must not stop the store."""
    try:
        found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return Manifest(
            name=str(found["name"]),
            dimension=int(found["dimension"]),
            max_tokens=int(found["max_tokens"]),
            preparation=int(found["preparation"]),
            model_sha256=str(found["sha256"]["model.onnx"]),
            tokenizer_sha256=str(found["sha256"]["tokenizer.json"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
