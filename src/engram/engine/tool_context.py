"""What a tool may need to know before it is called: the part of the facade that briefs tools."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engram.engine.reasoning import Concluding
from engram.errors import InvalidInput
from engram.memory.changes import Action
from engram.memory.scopes import Scope
from engram.text.strings import checked_name

if TYPE_CHECKING:
    from engram.context.tool_block import ToolContext as ToolContext
    from engram.recall.result import Hit

_UNKNOWN = "unknown"


class Briefing(Concluding):
    """Context for tools."""

    def tool_context(
        self,
        tool: str,
        arguments: Mapping[str, object],
        *,
        budget: int = 400,
        scope: Scope | None = None,
    ) -> "ToolContext":
        """A short block of what is known about a tool's arguments, fenced; empty when nothing is.

        Nothing is changed. The question is made of the tool's name and the texts in its arguments;
        what looks like a secret never becomes part of it. Nobody looks at the block before a model
        does, so what is flagged or not trusted is left out.
        """
        from engram.context.tool_block import ToolContext, best_of, tool_block
        from engram.context.tool_query import tool_query
        from engram.memory.attribution import newer_first, replacement_marks
        from engram.memory.tokens.estimate import tokens_in

        name, most = checked_name(tool, name="tool"), _checked_budget(budget)
        if not isinstance(arguments, Mapping):
            raise InvalidInput(hint="`arguments` is a dictionary of names and values.")
        reach = self.principal.reach(scope)  # who may not look is told so, whatever the arguments
        query = tool_query(name, arguments)
        if not query.whole or not reach.chain:
            return ToolContext("", 0, (), query.whole)
        self._parts.wake_embedding()
        found = best_of(
            [self._about_all(query.whole, scope), self._about_names(query.names, scope)]
        )
        with self._view(scope) as see:
            changes = see.links.replacements_of(hit.memory.number for hit in found)
        by_number = {hit.memory.number: hit for hit in found}
        ordered = [by_number[number] for number in newer_first(by_number, changes)]
        made = tool_block(name, query.whole, ordered, most, tokens_in, replacement_marks(changes))
        self._parts.echoes.note((hit.memory for hit in made.memories), self._clock())
        numbers = tuple(hit.memory.number for hit in made.memories)
        self._note(
            Action.RECALL,
            count=len(numbers),
            numbers=numbers,
            question=query.whole,
            scope=scope,
            shown=made.memories,
        )
        return made

    def _about_all(self, told: str, scope: Scope | None) -> "list[Hit]":
        """What is known about all that a call tells, unless that is a guess."""
        # No limit is named: then what is far behind the best is left out.
        found = self._look_up(self._question(told, automatic=True), scope)
        return [] if found.assessment == _UNKNOWN else list(found.hits)

    def _about_names(self, named: str, scope: Scope | None) -> "list[Hit]":
        """What is known about things that a call names.

        It is no sentence, so nothing says whether memory answers it: what holds a name that few
        memories hold is about it. And what memory does not know would drown what it does.
        """
        from engram.recall.known_words import known_words

        parts = self._recall_parts()
        if not named or not parts.options.in_memory:
            return []
        with self._view(scope) as see:
            known = known_words(named, see, parts, self._clock())
        if not known.text:
            return []
        found = self._look_up(self._question(known.text, automatic=True), scope)
        return [hit for hit in found.hits if hit.memory.number in known.numbers]


def _checked_budget(budget: object) -> int:
    from engram.context.tool_block import LEAST_BUDGET, MOST_BUDGET

    is_whole = isinstance(budget, int) and not isinstance(budget, bool)
    if not is_whole or not LEAST_BUDGET <= budget <= MOST_BUDGET:  # type: ignore[operator]  # whole
        raise InvalidInput(hint=f"`budget` is a whole number from {LEAST_BUDGET} to {MOST_BUDGET}.")
    return budget  # type: ignore[return-value]  # whole
