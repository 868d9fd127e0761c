"""What goes into a model's window: the part of the facade that gathers it and lays it out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from engram.engine.asking import Asking
from engram.engine.overseeing import Overseeing
from engram.engine.profiling import Profiling
from engram.engine.reasoning import Concluding
from engram.errors import InvalidInput
from engram.memory.scopes import Scope
from engram.memory.trust import UNTRUSTED
from engram.storage.questions import Asked, note_question

if TYPE_CHECKING:
    from engram.context.options import ContextOptions
    from engram.context.window import Context as Context
    from engram.memory.dreams.gaps import Gap

# What assembles is imported where it is needed: who only remembers never loads it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a caller asks a context for."""

    model: str
    budget: int | None = None
    session: str | None = None
    system: str | None = None
    query: str | None = None
    mode: str | None = None
    tools: Sequence[Mapping[str, object]] = ()
    with_questions: bool = True
    scope: Scope | None = None

    def __post_init__(self) -> None:
        checked_words(self.system, name="system")
        checked_words(self.query, name="query")


def checked_words(value: object, *, name: str) -> None:
    """Refuse what is neither a text nor nothing."""
    if value is not None and not isinstance(value, str):
        raise InvalidInput(hint=f"`{name}` is a text.")


class Composing(Asking, Profiling, Concluding, Overseeing):
    """The window of a model, put together from what is known."""

    def context(
        self,
        messages: str | Sequence[Mapping[str, object]],
        *,
        model: str,
        budget: int | None = None,
        session: str | None = None,
        system: str | None = None,
        query: str | None = None,
        mode: str | None = None,
        tools: Sequence[Mapping[str, object]] = (),
        with_questions: bool = True,
        scope: Scope | None = None,
    ) -> "Context":
        """The best prompt for a model that answers the last message: never a token over its budget.

        `messages` are in OpenAI's or Anthropic's format, the whole conversation, oldest first; a
        text by itself is one message of a person.
        `budget` is for all of the prompt; without it, the model's window less its answer. `tools`
        are the schemas that are sent beside the messages: room for them is kept free. With a
        `session`, working memory and the conversation's direction count, a question may be put (it
        counts as put, unless `with_questions` is false), and prompts of one topic begin alike.
        Nobody looks at it before the model does: what is flagged or not trusted is left out.
        """
        wanted = Wanted(
            model=model, budget=budget, session=session, system=system, query=query, mode=mode,
            tools=tools, with_questions=with_questions, scope=scope,
        )  # fmt: skip
        return self._context(messages, wanted, self.settings.context)

    def _context(self, messages: object, wanted: Wanted, options: "ContextOptions") -> "Context":
        """The same with other numbers than those that are set."""
        from engram.engine.composition import Composition
        from engram.engine.steps import Steps

        return Composition(self, wanted, options).made(messages, Steps())

    def _question_to_put(self, session: str, scope: Scope | None) -> "Gap | None":
        """The question to put in a session now, if there is one; it does not count as put yet."""
        options = self.settings.dreams
        place = self._parts.place
        if not options.questions_per_session or (place is not None and place.read_only):
            return None
        since = self._clock() - timedelta(days=options.question_days)
        reach = self.principal.review_reach(scope)
        with self._store.read(reach, timeout_seconds=self._patience) as see:
            chosen = self._to_be_asked(see, session, since, options.questions_per_session)
        return next((gap for gap in chosen if gap.trust > UNTRUSTED), None)

    def _note_put(self, gap: "Gap", session: str, scope: Scope | None) -> None:
        """A question stands in a prompt: it counts as put."""
        reach, now = self.principal.review_reach(scope), self._clock()
        with self._store.write(reach, actor=self.principal.actor, now=now) as unit:
            note_question(unit.transaction, gap.scope, Asked(gap.id, session, now))
