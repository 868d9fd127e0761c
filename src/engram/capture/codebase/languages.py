"""Which language a file is in, and the patterns by which its declarations are seen.

A pattern is tried on one line of bounded length, so the worst line costs little whatever it holds.
`name` is what is declared; `owner`, where a language writes it, is what that belongs to.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

_NOT_NAMES = frozenset(
    "if for while switch catch return else do function sizeof new throw await yield typeof delete "
    "using lock foreach elseif case until unless when in and or not defined".split()
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """How a kind of declaration looks; one that holds others lends them its name."""

    expression: re.Pattern[str]
    is_container: bool = False
    is_told: bool = True  # `impl` blocks hold functions and declare nothing themselves

    def name_in(self, line: str) -> tuple[str, str] | None:
        """The name a line declares and its owner, if it declares one."""
        found = self.expression.match(line)
        if found is None or found["name"] in _NOT_NAMES:
            return None
        return found["name"], found.groupdict().get("owner") or ""


@dataclass(frozen=True, slots=True)
class Language:
    """What is needed to read a language lightly."""

    name: str
    patterns: tuple[Pattern, ...]
    line_comments: tuple[str, ...] = ("//",)
    has_blocks: bool = True  # comments between /* and */
    program: re.Pattern[str] | None = None  # what a file holds that can be started


def _holds(expression: str, *, is_told: bool = True) -> Pattern:
    return Pattern(re.compile(expression), is_container=True, is_told=is_told)


def _is(expression: str) -> Pattern:
    return Pattern(re.compile(expression))


_SHEBANG = re.compile(r"\A#!")
_EXPORT = r"\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?"
_JAVASCRIPT = (
    _holds(_EXPORT + r"(?:abstract\s+)?class\s+(?P<name>[\w$]+)"),
    _is(_EXPORT + r"(?:async\s+)?function\s*\*?\s*(?P<name>[\w$]+)\s*[(<]"),
    _is(r"export\s+(?:const|let|var)\s+(?P<name>[\w$]+)"),
    _is(
        r"(?:const|let|var)\s+(?P<name>[\w$]+)\s*(?::[^=]*)?=\s*(?:async\s*)?"
        r"(?:\([^)]*\)|[\w$]+)\s*(?::[^=]*)?=>"
    ),
    _is(r"(?:module\.)?exports\.(?P<name>[\w$]+)\s*="),
    _is(
        r"\s+(?:(?:public|private|protected|static|async|override|readonly|get|set)\s+)*\*?\s*"
        r"(?P<name>#?[\w$]+)\s*(?:<[^>]*>)?\([^;]*\)\s*(?::[^{;]*)?\{\s*$"
    ),
)
_TYPESCRIPT = (
    _holds(_EXPORT + r"(?:interface|namespace)\s+(?P<name>[\w$.]+)"),
    _is(_EXPORT + r"(?:type|(?:const\s+)?enum)\s+(?P<name>[\w$]+)\s*[=<{]"),
)
_JAVA_WORDS = (
    "public|protected|private|static|final|abstract|synchronized|native|default|sealed|strictfp"
)
_CSHARP_WORDS = (
    "public|protected|private|internal|static|sealed|abstract|virtual|override|async|partial|"
    "readonly|extern|unsafe"
)
_TYPE = r"[\w<>\[\],.?]+"
_C_TYPES = r"\s*(?:typedef\s+)?(?:struct|class|union|enum(?:\s+class)?|namespace)\s+"
_C = (
    _holds(_C_TYPES + r"(?:\[\[[^\]]*\]\]\s*)?(?P<name>\w+)[^;()]*$"),
    _is(r"#\s*define\s+(?P<name>\w+)\("),
    _is(
        r"(?!\s|#|//|/\*|typedef\b|return\b|else\b|using\b)\w[\w\s*&:<>,\[\]]*[\s*&]"
        r"(?:(?P<owner>\w+)::)?(?P<name>~?\w+)\s*\([^=]*$"
    ),
)


def _braced(words: str, types: str) -> tuple[Pattern, ...]:
    return (
        _holds(rf"\s*(?:(?:{words})\s+)*(?:{types})\s+(?P<name>\w+)"),
        _is(
            rf"\s+(?:(?:{words})\s+)+(?:<[^>]*>\s*)?(?:{_TYPE}(?:\s*,\s*{_TYPE})*\s+)?"
            rf"(?P<name>\w+)\s*(?:<[^>]*>)?\("
        ),
    )


_MODIFIED = r"(?:pub(?:\([^)]*\))?\s+)?"
_LANGUAGES = (
    (".js .mjs .cjs .jsx", Language("JavaScript", _JAVASCRIPT, program=_SHEBANG)),
    (".ts .tsx .mts .cts", Language("TypeScript", _TYPESCRIPT + _JAVASCRIPT, program=_SHEBANG)),
    (
        ".go",
        Language(
            "Go",
            (
                _is(r"func\s+(?:\((?:\w+\s+)?\*?(?P<owner>\w+)[^)]*\)\s*)?(?P<name>\w+)\s*[\[(]"),
                _is(r"type\s+(?P<name>\w+)[\s\[]"),
            ),
            program=re.compile(r"^func main\(\)", re.M),
        ),
    ),
    (
        ".rs",
        Language(
            "Rust",
            (
                _is(
                    rf'\s*{_MODIFIED}(?:(?:async|const|unsafe|extern(?:\s+"[^"]*")?)\s+)*'
                    r"fn\s+(?P<name>\w+)"
                ),
                _holds(rf"\s*{_MODIFIED}(?:unsafe\s+)?trait\s+(?P<name>\w+)"),
                _is(rf"\s*{_MODIFIED}(?:struct|enum|union|type)\s+(?P<name>\w+)"),
                _holds(rf"\s*{_MODIFIED}mod\s+(?P<name>\w+)\s*\{{"),
                _holds(
                    r"\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s*(?:[^{]*\bfor\s+)?&?(?P<name>\w+)",
                    is_told=False,
                ),
                _is(r"macro_rules!\s*(?P<name>\w+)"),
            ),
            program=re.compile(r"^(?:async )?fn main\(\)", re.M),
        ),
    ),
    (
        ".java",
        Language(
            "Java",
            _braced(_JAVA_WORDS, "class|interface|enum|record|@interface"),
            program=re.compile(r"\bstatic\s+void\s+main\s*\("),
        ),
    ),
    (
        ".cs",
        Language(
            "C#",
            _braced(_CSHARP_WORDS, "class|interface|struct|enum|record|namespace"),
            program=re.compile(r"\bstatic\s+(?:async\s+)?[\w<>]+\s+Main\s*\("),
        ),
    ),
    (".c .h", Language("C", _C, program=re.compile(r"^int\s+main\s*\(", re.M))),
    (
        ".cc .cpp .cxx .hpp .hh .hxx",
        Language("C++", _C, program=re.compile(r"^int\s+main\s*\(", re.M)),
    ),
    (
        ".rb .rake",
        Language(
            "Ruby",
            (
                _holds(r"\s*(?:class|module)\s+(?P<name>[A-Z][\w:]*)"),
                _is(r"\s*def\s+(?:self\.)?(?P<name>\w+[?!=]?)"),
            ),
            line_comments=("#",),
            has_blocks=False,
            program=_SHEBANG,
        ),
    ),
    (
        ".php",
        Language(
            "PHP",
            (
                _holds(
                    r"\s*(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+"
                    r"(?P<name>\w+)"
                ),
                _is(
                    r"\s*(?:(?:public|protected|private|static|abstract|final)\s+)*function\s+&?"
                    r"(?P<name>\w+)\s*\("
                ),
            ),
            line_comments=("//", "#"),
            program=_SHEBANG,
        ),
    ),
    (
        ".sh .bash .zsh .ksh",
        Language(
            "Shell",
            (
                _is(r"(?:function\s+)?(?P<name>[\w:.-]+)\s*\(\)"),
                _is(r"function\s+(?P<name>[\w:.-]+)"),
            ),
            line_comments=("#",),
            has_blocks=False,
            program=_SHEBANG,
        ),
    ),
    (
        ".py .pyi .pyw",
        Language(
            "Python",
            (_holds(r"\s*class\s+(?P<name>\w+)"), _is(r"\s*(?:async\s+)?def\s+(?P<name>\w+)")),
            line_comments=("#",),
            has_blocks=False,
            program=re.compile(r"^if __name__ == ['\"]__main__['\"]", re.M),
        ),
    ),
)
_BY_SUFFIX = {suffix: language for suffixes, language in _LANGUAGES for suffix in suffixes.split()}
_BY_SHEBANG = {"python": ".py", "node": ".js", "ruby": ".rb", "php": ".php", "sh": ".sh"}


def language_of(path: str, opening: bytes) -> Language | None:
    """The language of a file by its suffix, else by the program its first line calls for."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix or not opening.startswith(b"#!"):
        return _BY_SUFFIX.get(suffix)
    called = opening.split(b"\n", 1)[0].decode("utf-8", "replace")
    for program, known in _BY_SHEBANG.items():
        if re.search(rf"\b(?:ba|z|k|da)?{program}[\d.]*(?:\s|$)", called):
            return _BY_SUFFIX[known]
    return None
