"""Clients of both protocols in a few lines: what a loop needs of the packages, over real HTTP."""

import json
import urllib.request
from collections.abc import Callable
from types import SimpleNamespace


def _posting(url: str) -> Callable[..., dict[str, object]]:
    def create(**asked: object) -> dict[str, object]:
        body = json.dumps(asked).encode()
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return dict(json.load(answer))

    return create


class PlainAnthropic:
    """`messages.create` of Anthropic's client."""

    def __init__(self, url: str) -> None:
        self.messages = SimpleNamespace(create=_posting(f"{url}/messages"))


class PlainOpenAI:
    """`chat.completions.create` of OpenAI's client."""

    def __init__(self, url: str) -> None:
        completions = SimpleNamespace(create=_posting(f"{url}/chat/completions"))
        self.chat = SimpleNamespace(completions=completions)
