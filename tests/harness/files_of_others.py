"""Files as people have them: any layout, comments, line ends; and what is in them besides."""

import json

from hypothesis import strategies as st

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=8)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**9), 10**9), NAMES,
    st.floats(allow_nan=False, allow_infinity=False, width=32),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def json_texts(draw, keys: tuple[tuple[str, ...], ...], *, is_commented: bool) -> str:
    """JSON text in some layout, in which some of the named containers are there already."""
    value = draw(st.dictionaries(NAMES, VALUES, max_size=3))
    for path in keys:
        if draw(st.booleans()):
            holder = value
            for key in path[:-1]:
                holder = holder.setdefault(key, {})
            others = st.dictionaries(NAMES.map(lambda name: f"{name}-other"), VALUES, max_size=2)
            holder.setdefault(path[-1], draw(others))
    lay_out = _Layout(draw, is_commented=is_commented)
    text = lay_out.written(value, 0)
    text = draw(st.sampled_from(["", "\n", "  \n\n"])) + text
    text += draw(st.sampled_from(["", "\n", "\n\n", " "]))
    return _with_ends(draw, text)


def _with_ends(draw, text: str) -> str:
    """Line ends of one system or the other, perhaps a byte order mark before."""
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return ("\ufeff" if draw(st.booleans()) else "") + text


class _Layout:
    """One way to lay out JSON."""

    def __init__(self, draw, *, is_commented: bool) -> None:
        self._draw = draw
        self._unit = draw(st.sampled_from(["  ", "    ", "\t", " "]))
        self._is_commented = is_commented

    def written(self, value: object, depth: int) -> str:
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(key, ensure_ascii=False)}{self._space()}:{self._space()}"
                f"{self.written(each, depth + 1)}"
                for key, each in value.items()
            ]
            return self._container("{", "}", parts, depth)
        if isinstance(value, list):
            return self._container(
                "[", "]", [self.written(each, depth + 1) for each in value], depth
            )
        return json.dumps(value, ensure_ascii=False)

    def _container(self, opener: str, closer: str, parts: list[str], depth: int) -> str:
        is_spread = self._draw(st.booleans())
        gap = "\n" + self._unit * (depth + 1) if is_spread else self._space()
        end = "\n" + self._unit * depth if is_spread else self._space()
        text = opener
        for index, part in enumerate(parts):
            is_last = index == len(parts) - 1
            has_comma = not is_last or (self._is_commented and self._draw(st.booleans()))
            text += self._comment(is_spread) + gap + part + self._space()
            text += ("," if has_comma else "") + self._comment(is_spread)
        return text + end + closer if parts or is_spread else text + self._comment(False) + closer

    def _space(self) -> str:
        return self._draw(st.sampled_from(["", " "]))

    def _comment(self, is_spread: bool) -> str:
        if not self._is_commented or not self._draw(st.booleans()):
            return ""
        short = ['/* , } ] " */', " /* // */ "]
        return self._draw(st.sampled_from([*short, ' // { "a": [,'] if is_spread else short))


@st.composite
def toml_texts(draw) -> str:
    """TOML text with tables of others, perhaps with servers among them."""
    lines = draw(st.lists(st.sampled_from([
        "# a comment", "", "model = \"o9\"", "approval = 'never' # why", "ratio = 0.5",
    ]), max_size=3, unique=True))  # fmt: skip
    lines += draw(st.permutations([
        "[mcp_servers.other]\ncommand = \"x\"\nargs = [\n  \"a\", # one\n  \"b\",\n]",
        "\n[tui]\ntheme = \"dark\"  ",
        "[profiles.\"a.b\"]\ntext = '''\n[mcp_servers.engram]\n'''",
        "[[rules]]\nname = \"one\"",
    ]).flatmap(lambda tables: st.integers(0, 4).map(lambda count: tables[:count])))  # fmt: skip
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return _with_ends(draw, text)
