"""Scopes: a tree, its names, and who reaches what."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engram.errors import AccessDenied, EngramError, InvalidInput
from engram.memory.scopes import LEVELS, Principal, PrincipalKind, Scope

NAMES = st.text(
    alphabet=st.one_of(
        st.sampled_from("/,%=25FCab. \u00a0\u3000"),
        st.characters(exclude_categories=("Cs", "Cc")),
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name == name.strip() != "")
FEW = st.none() | st.sampled_from(["a", "b"])


@st.composite
def scopes(draw: st.DrawFn, names: st.SearchStrategy[str | None] = FEW) -> Scope:
    return Scope(*(draw(names) for _ in LEVELS))


@given(scopes(st.none() | NAMES))
def test_any_scope_is_read_back_from_its_path(scope):
    assert Scope.parse(scope.path) == scope


@given(st.sampled_from(LEVELS), NAMES)
@example("user", "a/b,c%2F=d")
def test_any_name_is_read_back_from_its_path(level, name):
    scope = Scope(**{level: name})

    assert Scope.parse(scope.path) == scope
    assert getattr(Scope.parse(scope.path), level) == name


@given(scopes(st.none() | NAMES), scopes(st.none() | NAMES))
def test_different_scopes_have_different_paths(one, other):
    assert (one.path == other.path) == (one == other)


@pytest.mark.parametrize("name", [" a", "a ", "a\u00a0", "\u3000a"])
def test_a_name_with_a_space_at_its_edge_is_refused(name):
    with pytest.raises(InvalidInput):
        Scope(project=name)


def test_scopes_are_read_as_people_write_them():
    assert Scope.parse("project=acme,agent=coder") == Scope("acme", agent="coder")
    assert Scope.parse(" project = acme , agent = coder ") == Scope("acme", agent="coder")
    assert Scope.parse("/project=acme/agent=coder/") == Scope("acme", agent="coder")
    assert Scope.parse("") == Scope.parse("/") == Scope()


@pytest.mark.parametrize(
    "text",
    ["acme", "project", "project=", "colour=red", "project=a,project=b", "=a", "project=a,b"],
)
def test_what_is_no_scope_is_refused(text):
    with pytest.raises(EngramError):
        Scope.parse(text)


@given(scopes(), scopes(), scopes())
def test_containing_is_a_partial_order(a, b, c):
    assert a.contains(a)
    if a.contains(b) and b.contains(a):
        assert a == b
    if a.contains(b) and b.contains(c):
        assert a.contains(c)
    assert Scope().contains(a)


@given(scopes())
def test_a_chain_goes_from_the_widest_to_the_scope_itself(scope):
    chain = scope.chain()

    assert chain[0] == Scope()
    assert chain[-1] == scope
    assert len(chain) <= 5
    assert len(set(chain)) == len(chain)
    assert all(wide.contains(narrow) for wide, narrow in pairwise(chain))


@given(scopes(), scopes())
def test_containing_agrees_with_the_paths(a, b):
    if a.contains(b):
        assert b.path.startswith(a.path)


def test_channel_and_user_are_one_level():
    ann, bob = Scope(channel="c", user="ann"), Scope(channel="c", user="bob")

    assert not Scope(channel="c").contains(ann)
    assert not ann.contains(bob)
    assert Scope() in ann.chain()
    assert Scope(channel="c") not in ann.chain()


@given(scopes(), scopes())
def test_a_scope_given_with_a_call_never_widens_the_reach(own, named):
    for principal in (
        Principal.of(own), Principal.orchestrator(own), Principal(PrincipalKind.PERSON, own),
    ):  # fmt: skip
        whole = principal.reach()
        if principal.is_owner:
            continue  # holds the whole store, and names the scope it looks into
        try:
            part = principal.reach(named)
        except AccessDenied:
            continue
        for path in part.chain:
            below = whole.below_start <= path < whole.below_end if whole.below_end else False
            assert path in whole.chain or below
        assert part.below_end in ("", whole.below_end)


@given(scopes(), scopes())
def test_writing_stays_inside(own, named):
    principal = Principal.of(own)
    try:
        target = principal.write_scope(named)
    except AccessDenied:
        assert principal.kind is PrincipalKind.ANONYMOUS or not own.contains(named)
    else:
        assert target == named
        assert own.contains(named)


@given(scopes(), scopes())
def test_what_may_be_changed_can_be_seen(own, other):
    for principal in (Principal(PrincipalKind.PERSON, own), Principal.orchestrator(own)):
        if principal.may_change_in(other):
            reach = principal.reach()
            below = reach.below_start <= other.path < reach.below_end
            assert other.path in reach.chain or below


@given(scopes(), scopes())
def test_an_orchestrator_sees_below_only_what_it_contains(own, other):
    reach = Principal.orchestrator(own).reach()
    below = reach.below_start <= other.path < reach.below_end

    assert (below or other == own) == own.contains(other)


@pytest.mark.parametrize(
    ("scope", "kind"),
    [
        (None, PrincipalKind.PERSON), (Scope(), PrincipalKind.PERSON),
        (Scope("p"), PrincipalKind.PERSON), (Scope("p", "s"), PrincipalKind.PERSON),
        (Scope("p", "s", "a"), PrincipalKind.AGENT),
        (Scope("p", user="u"), PrincipalKind.PERSON),
        (Scope(channel="c", user="u"), PrincipalKind.CHANNEL_USER),
        (Scope(channel="c"), PrincipalKind.ANONYMOUS),
    ],
)  # fmt: skip
def test_who_calls_follows_from_the_scope(scope, kind):
    principal = Principal.of(scope)

    assert principal.kind is kind
    assert principal.is_owner == (scope in (None, Scope()))  # the whole store is one's own


def test_anonymous_reaches_nothing():
    for nobody in (Principal.anonymous(), Principal.of(Scope(channel="c"))):
        assert nobody.reach().chain == ()
        assert nobody.reach(Scope()).chain == ()
        assert not nobody.may_change_in(Scope())
        with pytest.raises(AccessDenied):
            nobody.write_scope()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x00", "a\ud800", "x" * 201, 5, b"x"])
def test_a_bad_name_is_refused(level, name):
    with pytest.raises((InvalidInput, EngramError)):
        Scope(**{level: name})


# Skills


NAMESPACE = Scope("p", agent="a", channel="skill:lint")


def test_a_skill_is_at_home_in_a_namespace_of_its_own():
    skill = Principal.skill("lint", Scope("p", agent="a"))

    assert skill.scope == NAMESPACE
    assert skill.kind is PrincipalKind.SKILL
    assert not skill.is_person
    assert not skill.looks_down
    assert not skill.is_owner
    assert skill.actor == "skill:/project=p/agent=a/channel=skill:lint/"


@given(st.tuples(FEW, FEW, FEW).map(lambda names: Scope(*names)), scopes())
def test_a_skill_reads_and_writes_in_its_namespace_and_nowhere_else(host, other):
    skill = Principal.skill("lint", host)
    assert skill.scope is not None

    assert skill.reach().chain == (skill.scope.path,)
    assert skill.reach() == skill.review_reach() == skill.reach(skill.scope)
    assert skill.writing_reach(skill.scope).chain == (skill.scope.path,)
    assert skill.write_scope() == skill.scope
    assert not skill.can_see(other)
    assert not skill.may_change_in(other)
    for act in (skill.reach, skill.write_scope):
        with pytest.raises(AccessDenied):
            act(other)


@given(scopes(), NAMES)
def test_only_the_host_and_who_looks_down_may_look_into_a_namespace(own, name):
    namespace = Scope("a", "b", channel=f"skill:{name}")
    plain = Principal(PrincipalKind.PERSON, own)
    orchestrator = Principal.orchestrator(own)

    assert plain.can_see(namespace) == (own == Scope("a", "b"))
    assert orchestrator.can_see(namespace) == own.contains(namespace)
    if plain.can_see(namespace):
        assert plain.reach(namespace).chain == (namespace.path,)
        assert namespace.path not in plain.reach().chain
        assert not plain.may_change_in(namespace)


@given(scopes(), scopes())
def test_a_scope_sees_its_chain_and_a_namespace_only_itself(one, other):
    assert one.sees(other) == other.contains(one)
    assert not NAMESPACE.sees(other)
    assert NAMESPACE.sees(NAMESPACE)


def test_a_skill_does_not_see_another_nor_one_of_the_same_name_elsewhere():
    lint = Principal.skill("lint", Scope("p", agent="a"))

    for name, host in (("test", Scope("p", agent="a")), ("lint", Scope("p")), ("lint", Scope())):
        other = Principal.skill(name, host).scope
        assert other is not None
        assert not lint.can_see(other)


def test_who_names_a_namespace_as_its_own_scope_is_nobody():
    assert Principal.of(NAMESPACE).kind is PrincipalKind.ANONYMOUS


def test_a_user_of_a_channel_that_is_named_like_a_namespace_is_not_in_it():
    user = Principal.of(Scope("p", agent="a", channel="skill:lint", user="u"))

    assert not user.can_see(NAMESPACE)
    assert NAMESPACE.path not in user.reach().chain
    assert not Principal.skill("lint", Scope("p", agent="a")).can_see(user.scope or Scope())


@pytest.mark.parametrize("host", [Scope(channel="c"), Scope(user="u"), Scope("p", channel="c")])
def test_no_skill_lives_in_a_channel(host):
    with pytest.raises(InvalidInput):
        Principal.skill("lint", host)


@pytest.mark.parametrize("name", ["", " ", "a ", "a\nb", "x" * 201, "x" * 195])
def test_a_skill_needs_a_name_that_a_channel_can_have(name):
    with pytest.raises(EngramError):
        Principal.skill(name, Scope())


# What was shown to be let in


def test_the_audit_names_what_was_shown():
    plain = Principal.of(Scope("p", "s", "a"))
    shown = Principal(plain.kind, plain.scope, credential="key:0123456789")

    assert plain.actor == "agent:/project=p/squad=s/agent=a/"
    assert shown.actor == "agent:/project=p/squad=s/agent=a/#key:0123456789"
    assert shown.reach() == plain.reach()


@given(scopes(st.none() | NAMES))
def test_no_scope_can_pass_for_something_that_was_shown(scope):
    assert Principal(PrincipalKind.PERSON, scope).actor.endswith("/")
