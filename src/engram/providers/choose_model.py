"""Picks the language model that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never, cast

if TYPE_CHECKING:
    from typing import Literal

    from engram.providers.language_model import LanguageModel
    from engram.providers.model_options import ModelOptions


def choose_model(options: ModelOptions, *, api_key: str | None = None) -> LanguageModel | None:
    """The model, with nobody asked yet; None, and nothing imported, when none is wanted.

    A key comes as an argument and is no setting, because settings are shown.
    """
    kind = cast("Literal['none', 'openai', 'anthropic']", options.kind)
    match kind:
        case "none":
            return None
        case "openai":
            from engram.providers.chat_openai import OpenAiChat

            return OpenAiChat(options, api_key=api_key)
        case "anthropic":
            from engram.providers.chat_anthropic import AnthropicChat

            return AnthropicChat(options, api_key=api_key)
        case _:
            assert_never(kind)
