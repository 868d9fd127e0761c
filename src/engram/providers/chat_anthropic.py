"""Asks Anthropic's `/v1/messages`, or a server that speaks the same, for one filled-in form."""

import json
import time
from collections.abc import Callable, Mapping

from engram.errors import ModelUnavailable
from engram.providers.language_model import (
    Completion,
    Prompt,
    estimated_tokens,
    prompt_tokens,
)
from engram.providers.model_options import ModelOptions
from engram.providers.model_server import (
    CUT_HINT,
    SHAPE_HINT,
    ModelServer,
    checked_key,
    counted,
    model_endpoint,
    read_document,
)

_DEFAULT_URL = "https://api.anthropic.com/v1"
_PROTOCOL_VERSION = "2023-06-01"


class AnthropicChat:
    """A model behind Anthropic's protocol; the schema is the input of a tool it has to use."""

    def __init__(
        self,
        options: ModelOptions,
        *,
        api_key: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        endpoint = model_endpoint(options, default=_DEFAULT_URL, leaf="messages")
        key = checked_key(api_key)
        headers = {"anthropic-version": _PROTOCOL_VERSION, **({"x-api-key": key} if key else {})}
        self._server = ModelServer(endpoint, headers, options, sleep=sleep, clock=clock)
        self._model = options.model

    @property
    def name(self) -> str:
        """The model's name, as the server knows it."""
        return self._model

    def complete(self, prompt: Prompt) -> Completion:
        """Ask once; the text is what the model filled in, as JSON."""
        return self._server.converse(lambda ends_at: self._completion(prompt, ends_at))

    def close(self) -> None:
        """Ask nobody from now on."""
        self._server.close()

    def _completion(self, prompt: Prompt, ends_at: float) -> Completion:
        answer = self._server.ask(
            _question(self._model, prompt), max_tokens=prompt.max_tokens, ends_at=ends_at
        )
        return _completion(answer.body, prompt)


def _question(model: str, prompt: Prompt) -> dict[str, object]:
    tool = {
        "name": prompt.purpose,
        "description": "Hand in the answer, once and complete.",
        "input_schema": dict(prompt.schema),
    }
    return {
        "model": model,
        "max_tokens": prompt.max_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user}],
        "tools": [tool],
        "tool_choice": {"type": "tool", "name": prompt.purpose},
    }


def _completion(body: bytes, prompt: Prompt) -> Completion:
    document = read_document(body)
    if document.get("stop_reason") == "max_tokens":
        raise ModelUnavailable(hint=CUT_HINT)
    blocks = document.get("content")
    if not isinstance(blocks, list):
        raise ModelUnavailable(hint=SHAPE_HINT)
    text = _text([block for block in blocks if isinstance(block, Mapping)])
    if not text.strip():
        raise ModelUnavailable(hint="The model answered with no text.")
    usage = document.get("usage")
    return Completion(
        text,
        counted(usage, "input_tokens", prompt_tokens(prompt)),
        counted(usage, "output_tokens", estimated_tokens(text)),
    )


def _text(blocks: list[Mapping[str, object]]) -> str:
    """What was handed to the tool; what was said instead, when it was not used."""
    for block in blocks:
        if block.get("type") == "tool_use" and isinstance(block.get("input"), Mapping):
            return json.dumps(block["input"], ensure_ascii=False)
    said = [block.get("text") for block in blocks if block.get("type") == "text"]
    return "\n".join(text for text in said if isinstance(text, str))
