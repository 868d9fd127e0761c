"""Picks the embedder that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never, cast

from engram.errors import ConfigInvalid

if TYPE_CHECKING:
    from typing import Literal

    from engram.providers.embedder import Embedder
    from engram.providers.options import EmbedderOptions


def choose_embedder(options: EmbedderOptions, *, api_key: str | None = None) -> Embedder | None:
    """The embedder, with nothing loaded and nobody asked yet; None when none is wanted.

    A key comes as an argument and is no setting, because settings are shown.
    """
    kind = cast("Literal['builtin', 'url', 'hashing', 'none']", options.kind)
    match kind:
        case "builtin":
            from engram.providers.minilm import MiniLmEmbedder

            return MiniLmEmbedder(threads=options.threads)
        case "url":
            from engram.providers.openai_compatible import UrlEmbedder

            return UrlEmbedder(options, api_key=api_key)
        case "hashing":
            from engram.providers.hashing import HashingEmbedder

            return HashingEmbedder(dimension=options.hashing_dimension)
        case "none":
            return None
        case _:
            assert_never(kind)


def is_elsewhere(options: EmbedderOptions) -> bool:
    """Whether texts go to another machine to be embedded; an address nobody can read counts too."""
    if options.kind != "url":
        return False
    from engram.providers.endpoint import read_endpoint

    try:
        endpoint = read_endpoint(options.url, leaf="embeddings", allow_plain_http=True)
    except ConfigInvalid:
        return True
    return not endpoint.is_on_this_machine
