"""A prompt in the format of a provider: OpenAI's list of messages, or Anthropic's beside `system`.

A format is what a call to the provider takes, and nothing else is put into it.
"""

import json
from collections.abc import Iterable, Mapping

from engram.context.message import (
    ASSISTANT,
    SYSTEM,
    TOOL,
    USER,
    ChatMessage,
    Other,
    Part,
    ToolCall,
    ToolResult,
    Words,
    disarmed,
    is_too_deep,
    whole,
)
from engram.context.prompt import Prompt, joined_words

Message = dict[str, object]
_NOTHING = "(nothing)"  # Anthropic refuses a message without words
# Signed by the model that thought it, for itself alone: OpenAI's format has no place for it.
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})
_IMAGES = frozenset({"image_url", "input_image"})
_NEWER_IMAGE = "input_image"  # of OpenAI's newer protocol, whose parts a chat does not take
_UNSEEN_IMAGE = {"type": "text", "text": "(image)"}  # one that the other side could not look up
_IN_A_RESULT = frozenset({"text", "image_url", "input_audio", "file"})  # in OpenAI's words


def openai_messages(prompt: Prompt) -> list[Message]:
    """The messages of a chat completion."""
    found: list[Message] = []
    if prompt.system:
        found.append({"role": SYSTEM, "content": prompt.system})
    return [*found, *openai_sent(prompt.messages)]


def openai_sent(messages: Iterable[ChatMessage]) -> list[Message]:
    """What was said in OpenAI's format."""
    return [made for message in messages for made in _openai(message)]


def anthropic_messages(prompt: Prompt) -> list[Message]:
    """The messages that stand beside `system`: a person first, and both sides in turn."""
    found: list[Message] = []
    for message in prompt.messages:
        role = ASSISTANT if message.role == ASSISTANT else USER
        content = _anthropic(message)
        if found and found[-1]["role"] == role:
            found[-1]["content"] = [*_as_parts(found[-1]["content"]), *_as_parts(content)]
        else:
            found.append({"role": role, "content": content})
    return found


def one_by_one(messages: Iterable[ChatMessage]) -> list[Message]:
    """Each message by itself, in Anthropic's parts: nothing is merged, nothing lost."""
    return [
        {"role": ASSISTANT if each.role == ASSISTANT else USER, "content": _anthropic(each)}
        for each in messages
    ]


def _openai(message: ChatMessage) -> Iterable[Message]:
    """One message, and one more for each result of a tool in it: each has a message of its own."""
    for result in message.results:
        yield {"role": TOOL, "tool_call_id": result.call_id, "content": _openai_result(result)}
    words, has_others = joined_words(message), _has_others(message)
    is_sent = message.calls or words or has_others
    if message.parts and not is_sent and not _is_empty(message):
        return  # nothing but results, or thoughts
    made: Message = {"role": message.role}
    made["content"] = _openai_content(message) if has_others else words
    if message.name:
        made["name"] = message.name
    if message.calls:
        made["content"] = made["content"] or None
        made["tool_calls"] = [_openai_call(call) for call in message.calls]
    yield made


def _openai_content(message: ChatMessage) -> list[Message]:
    made: list[Message] = []
    for part in message.parts:
        if isinstance(part, Words) and part.text:
            made.append({"type": "text", "text": part.text})
        elif isinstance(part, Other) and part.kind not in _THOUGHTS:
            made.append(_openai_part(part))
    return made


def _openai_result(result: ToolResult) -> object:
    """What a tool gave back: as it came, where it came in this format; else its words, since no
    image stands in what a tool says here."""
    given = result.given if isinstance(result.given, list) else []
    parts = [_chat_part(each) for each in given if isinstance(each, dict)]
    is_ours = all(str(each.get("type")) in _IN_A_RESULT for each in parts)
    return parts if parts and is_ours and len(parts) == len(given) else result.text


def _openai_call(call: ToolCall) -> Message:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _openai_part(part: Other) -> Message:
    source = part.given.get("source")
    if part.kind == "image" and isinstance(source, Mapping):
        url = source.get("url") or f"data:{source.get('media_type')};base64,{source.get('data')}"
        return {"type": "image_url", "image_url": {"url": url}}
    return _chat_part(part.given)


def _chat_part(given: Mapping[str, object]) -> Message:
    """A part as a chat completion takes it."""
    if given.get("type") != _NEWER_IMAGE:
        return dict(given)
    url = _address(given)
    if url is None:
        return dict(_UNSEEN_IMAGE)
    detail = given.get("detail")
    image: Message = {"url": url, "detail": detail} if isinstance(detail, str) else {"url": url}
    return {"type": "image_url", "image_url": image}


def _address(given: Mapping[str, object]) -> str | None:
    """Where an image of OpenAI's is; nowhere where it is only the name of a file kept there."""
    image = given.get("image_url")
    url = image.get("url") if isinstance(image, Mapping) else image
    return url if isinstance(url, str) and url else None


def _anthropic(message: ChatMessage) -> object:
    if all(isinstance(part, Words) for part in message.parts):
        words = joined_words(message)
        return words if words.strip() else _NOTHING
    # Results of tools come first in their message: Anthropic refuses them behind words.
    rest = [part for part in message.parts if not isinstance(part, ToolResult)]
    spoken = (part for part in rest if not isinstance(part, Words) or part.text.strip())
    return [_anthropic_part(part) for part in (*message.results, *spoken)]


def _anthropic_part(part: Part) -> Message:
    match part:
        case Words(text):
            return {"type": "text", "text": text}
        case ToolCall(id_, name, arguments):
            return {"type": "tool_use", "id": id_, "name": name, "input": _read(arguments)}
        case ToolResult(call_id, text, is_error, given):
            made: Message = {"type": "tool_result", "tool_use_id": call_id}
            made["content"] = text if given is None else _anthropic_result(given)
            return {**made, "is_error": True} if is_error else made
        case Other(kind, given) if kind in _IMAGES:
            return _anthropic_image(given)
        case Other(_, given):
            return dict(given)


def _anthropic_result(given: object) -> object:
    """What a tool gave back, with OpenAI's images in Anthropic's words."""
    if not isinstance(given, list):
        return given
    return [
        _anthropic_image(each)
        if isinstance(each, dict) and str(each.get("type")) in _IMAGES
        else each
        for each in given
    ]


def _anthropic_image(given: Mapping[str, object]) -> Message:
    url = _address(given)
    if url is None:
        return dict(_UNSEEN_IMAGE)
    head, comma, content = url.partition(";base64,")
    if comma and head.startswith("data:"):
        source = {"type": "base64", "media_type": head[5:], "data": content}
    else:
        source = {"type": "url", "url": url}
    return {"type": "image", "source": source}


def _as_parts(content: object) -> list[object]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}]


def _is_empty(message: ChatMessage) -> bool:
    return all(isinstance(part, Words) for part in message.parts)


def _has_others(message: ChatMessage) -> bool:
    return any(isinstance(part, Other) and part.kind not in _THOUGHTS for part in message.parts)


def _read(arguments: str) -> object:
    try:
        read = json.loads(arguments)
    except (ValueError, RecursionError):
        return {"arguments": arguments}
    if is_too_deep(read):
        return {"arguments": arguments}
    # Disarmed once more: JSON can write a bracket as \u003c, which is one only now.
    sent = disarmed(whole(read))
    return sent if isinstance(sent, dict) else {"arguments": sent}
