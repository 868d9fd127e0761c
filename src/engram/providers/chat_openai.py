"""Asks any server that speaks OpenAI's `/v1/chat/completions`: Ollama, vLLM, llama.cpp, OpenAI."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

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
    status_hint,
)

_DEFAULT_URL = "http://localhost:11434/v1"
_NOT_UNDERSTOOD = frozenset({400, 422})  # how servers refuse a field that they do not know
_MILDER = {"json_schema": "json_object", "json_object": "plain"}


@dataclass(frozen=True, slots=True)
class _Dialect:
    """Which of the protocol's newer or older words a server understands."""

    shape: str = "json_schema"
    limit_name: str = "max_tokens"
    has_temperature: bool = True


class OpenAiChat:
    """A model behind an OpenAI-compatible server; how much of the protocol it knows is found out.

    The answer's schema is enforced where the server can, asked for as JSON where it cannot, and
    left to the prompt where it knows neither.
    """

    def __init__(
        self,
        options: ModelOptions,
        *,
        api_key: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        endpoint = model_endpoint(options, default=_DEFAULT_URL, leaf="chat/completions")
        key = checked_key(api_key)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._server = ModelServer(endpoint, headers, options, sleep=sleep, clock=clock)
        self._model = options.model
        self._dialect = _Dialect()

    @property
    def name(self) -> str:
        """The model's name, as the server knows it."""
        return self._model

    def complete(self, prompt: Prompt) -> Completion:
        """Ask once, in the fullest form of the protocol that the server takes."""
        return self._server.converse(lambda ends_at: self._completion(prompt, ends_at))

    def close(self) -> None:
        """Ask nobody from now on."""
        self._server.close()

    def _completion(self, prompt: Prompt, ends_at: float) -> Completion:
        dialect: _Dialect | None = self._dialect
        status = 0
        while dialect is not None:
            answer = self._server.ask(
                _question(self._model, prompt, dialect),
                max_tokens=prompt.max_tokens,
                ends_at=ends_at,
                tolerated=_NOT_UNDERSTOOD,
            )
            status = answer.status
            if status == 200:
                completion = _completion(answer.body, prompt)
                self._dialect = dialect  # kept only when it led to an answer
                return completion
            dialect = _milder(dialect, answer.body)
        raise ModelUnavailable(
            hint=f"{status_hint(status)} Check model.model, or lower model.max_conversation_bytes.",
            is_unspent=True,
        )


def _milder(dialect: _Dialect, refusal: bytes) -> _Dialect | None:
    """What to try after a refusal: the field it names, else an answer less strictly shaped."""
    if b"max_completion_tokens" in refusal and dialect.limit_name == "max_tokens":
        return replace(dialect, limit_name="max_completion_tokens")
    if b"temperature" in refusal and dialect.has_temperature:
        return replace(dialect, has_temperature=False)
    shape = _MILDER.get(dialect.shape)
    return replace(dialect, shape=shape) if shape else None


def _question(model: str, prompt: Prompt, dialect: _Dialect) -> dict[str, object]:
    asked: dict[str, object] = {
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
        "stream": False,
        dialect.limit_name: prompt.max_tokens,
    }
    if dialect.has_temperature:
        asked["temperature"] = 0
    if dialect.shape == "json_schema":
        schema = {"name": prompt.purpose, "strict": True, "schema": dict(prompt.schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif dialect.shape == "json_object":
        asked["response_format"] = {"type": "json_object"}
    return asked


def _completion(body: bytes, prompt: Prompt) -> Completion:
    document = read_document(body)
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, Mapping):
        raise ModelUnavailable(hint=SHAPE_HINT)
    if first.get("finish_reason") == "length":
        raise ModelUnavailable(hint=CUT_HINT)
    message = first.get("message")
    text = message.get("content") if isinstance(message, Mapping) else None
    if not isinstance(text, str) or not text.strip():
        raise ModelUnavailable(hint="The model answered with no text.")
    usage = document.get("usage")
    return Completion(
        text,
        counted(usage, "prompt_tokens", prompt_tokens(prompt)),
        counted(usage, "completion_tokens", estimated_tokens(text)),
    )
