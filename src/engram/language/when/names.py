"""Dates by name, as rules over tagged words: days, months and years as far as they were said."""

from engram.language.when.calendar import Grain, Named, Period
from engram.language.when.cascade import Match, Reading, rule

# Numbers in words


def _joined_number(match: Match) -> int | None:
    tens, ones = match.number("tens") or 0, match.number("ones") or 0
    is_one = match.is_spelled("tens") and tens >= 20 and tens % 10 == 0 and ones < 10
    return tens + ones if is_one and match.is_spelled("ones") else None


NUMBERS = (
    rule("(?P<tens>n) -? (?P<ones>n)", _joined_number, "n"),
    rule("(?P<tens>n) -? (?P<ones>r)", _joined_number, "r"),
)


# Dates by name


def named(match: Match) -> Named | None:
    """A date as far as its words go."""
    day, month = match.number("day"), match.number("month")
    if (day is not None and not 1 <= day <= 31) or match.word("unit") not in ("", "day"):
        return None
    is_verb = match.tag("month") == "v" and match.tag("day") == "n" and match.value("year") is None
    if is_verb and match.follows("_F"):
        return None
    return Named(match.number("year"), month, day, match.number("weekday"))


def _days_of_month(match: Match) -> Period | None:
    first, last = match.number("day"), match.number("last")
    month, year = match.number("month"), match.number("year")
    if first is None or last is None or not first < last <= 31:
        return None
    begin = match.reader.period(Named(year, month, first))
    end = begin and match.reader.period(Named(begin.start.year, begin.start.month, last))
    return Period(begin.start, end.end, Grain.RANGE) if begin and end else None


def _dotted(match: Match) -> Named | None:
    month, _, day = match.word("pair").partition(".")
    is_date = 1 <= int(month) <= 12 and 1 <= int(day) <= 31
    return Named(month=int(month), day=int(day)) if is_date else None


def _same(name: str) -> Reading:
    return lambda match: match.value(name)


_CLAUSE_END = "(?=$|[.?;FABIKNVcuf&-])"
_DAY, _LAST = "(?P<day>[nor])", "(?P<last>[nor])"
_MONTH = "(?P<month>[Mmv])[.]?"
_YEAR = "(?:[;/-]?[OI]?(?P<year>y))?"
NAMES = (
    rule(f"{_MONTH} T?{_DAY} [-cu] T?{_LAST} (?![-UK/]) {_YEAR}", _days_of_month),
    rule(f"(?<=B) {_MONTH} T?{_DAY} & T?{_LAST} (?![-UK/]) {_YEAR}", _days_of_month),
    rule(f"{_DAY} [-cu] T?{_LAST} O? {_MONTH} {_YEAR}", _days_of_month),
    rule(f"(?<=B) T?{_DAY} & T?{_LAST} O? {_MONTH} {_YEAR}", _days_of_month),
    rule("(?<=[fB]) T?(?P<day>[or]) [cu&-] T?(?P<last>[or])" + _CLAUSE_END, _days_of_month),
    rule("(?P<month>[Mm])[.]?(?P<day>[no])(?=[-c][Mm][no])", named),
    rule("(?P<year>y)[-/](?P<month>[Mm])[-/](?P<day>n)", named),
    rule("(?P<year>y)[-/](?P<day>n)[-/](?P<month>[Mm])", named),
    rule("(?P<month>[Mm])[-/](?P<year>y)[-/](?P<day>n)", named),
    rule("(?P<day>n)[-/](?P<year>y)[-/](?P<month>[Mm])", named),
    rule(f"(?P<day>[nor])(?P<unit>U)? [-/.]? O?T? (?P<month>[Mmv])[.]? {_YEAR}", named),
    rule(f"(?P<month>[Mmv])[.]? [-/]? T?(?P<day>[nor])(?![-]?U) {_YEAR}", named),
    rule("(?P<month>[Mmv])[.]? [-/;]? [OI]?T? (?P<year>y)", named),
    rule("[Ww][.]?;?T?N?(?P<pair>k)", _dotted),
    rule("(?<=N)(?P<pair>k)(?![U_%])", _dotted),
    rule("[Ww][.]?;?T?(?P<date>[DR]);?", _same("date")),
    rule("(?P<date>D);?[Ww](?=;)", _same("date")),
    rule("(?P<weekday>[Ww])[.]?;?T?(?P<day>[no])(?![UMm_/-])", named),
    rule("(?P<weekday>[Ww])[.]?;?T(?P<day>r)" + "(?![_U])", named),
    rule("(?:^|(?<=[NYsbaufB]))(?P<date>R)(?!O)", _same("date")),
    rule("(?<=[ic&])(?P<date>R)(?![O_])", _same("date")),
    rule("(?<=[NYsbauf]T)(?P<day>o)" + _CLAUSE_END, named),
    rule("(?<=N)(?P<day>o)" + _CLAUSE_END, named),
    rule("(?<=[NYsbauf]T)(?P<day>r)(?=$|[.?])", named),
)  # fmt: skip
