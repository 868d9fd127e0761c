"""What files declare, language by language, and what manifests offer."""

import time

import pytest

from engram.capture.codebase.commands import Malformed, Manifest, read_manifest
from engram.capture.codebase.languages import language_of
from engram.capture.codebase.light_outline import outline_lightly
from engram.capture.codebase.outline import MOST_BYTES, module_text
from engram.capture.codebase.python_outline import outline_python

PYTHON = b'''"""Counts tides. And more."""
LIMIT: int = 3
_hidden = 1
if True:
    def high(at: int, *, near: float = 0.5, ways=[1, 2]) -> list[str]:
        """When the water is high.

        Longer.
        """
class Gauge(Base, metaclass=Meta):
    """Reads the sea."""
    def __init__(self, port): ...
    def __repr__(self): ...
    @property
    async def level(self) -> float: ...
    def _inner(self): ...
def _helper(): "\\d"
'''

SOURCES = {
    "a.js": """// Copyright somebody
/* Draws tides. */

import x from 'y'
// class Not {}
export default class Chart extends Base {
  constructor(node) {
    if (node) {
  }
  async draw(points) {
}
/** Loads it. Slowly. */
export async function load(url) {
const scale = (value) => value * 2
export const LIMIT = 3
""",
    "a.ts": "export interface Tide {\n}\nexport type Level = number\nenum Way { In }\n",
    "a.go": """// Package tides counts.
package tides

type Gauge struct {
// Level tells.
func (g *Gauge) Level(at int) (float64, error) {
func main() {
""",
    "a.rs": """//! Counts tides.

pub struct Gauge<T> {
impl<T> Display for Gauge<T> {
    pub async fn level(&self) -> f64 {
}
#[test]
fn main() {
pub trait Sea {
""",
    "A.java": """package tides;
/**
 * Reads the sea.
 */
@Service
public final class Gauge implements Sea {
    public Gauge(int port) {
    @Override
    protected Map<String, List<Integer>> levels(int at) throws X {
        return new Thing(at);
""",
    "a.c": """#include <x.h>
struct gauge {
static int level(struct gauge *g,
                 int at)
{
    return read(at);
#define NEAR(x) (x)
int main(void) {
""",
    "a.cpp": "namespace tides {\nclass Gauge : public Sea {\nfloat Gauge::level(int at) const {\n",
    "a.rb": "module Tides\n  class Gauge\n    # Tells.\n    def level?(at)\n    def self.all\n",
    "a.php": "<?php\nfinal class Gauge {\n    public static function level(int $at): float {\n",
    "a.cs": "namespace Tides {\n  public class Gauge {\n    public async Task<int> ReadAsync() {\n",
    "run": "#!/usr/bin/env bash\n# Starts it.\n\nfunction begin {\nstop() {\n",
    "old.py": "class Gauge:\n    def level(self):\n        print 'x'\n",
}
NAMES = {
    "a.js": ["Chart", "Chart.constructor", "Chart.draw", "load", "scale", "LIMIT"],
    "a.ts": ["Tide", "Level", "Way"],
    "a.go": ["Gauge", "Gauge.Level", "main"],
    "a.rs": ["Gauge", "Gauge.level", "main", "Sea"],
    "A.java": ["Gauge", "Gauge.Gauge", "Gauge.levels"],
    "a.c": ["gauge", "level", "NEAR", "main"],
    "a.cpp": ["tides", "Gauge", "Gauge.level"],
    "a.rb": ["Tides", "Tides.Gauge", "Tides.Gauge.level?", "Tides.Gauge.all"],
    "a.php": ["Gauge", "Gauge.level"],
    "a.cs": ["Tides", "Tides.Gauge", "Tides.Gauge.ReadAsync"],
    "run": ["begin", "stop"],
    "old.py": ["Gauge", "Gauge.level"],
}


def sketch(name, source=None):
    source = SOURCES[name] if source is None else source
    language = language_of(name, source[:100].encode())
    assert language is not None
    return outline_lightly(source, language)


def test_python_is_read_by_its_own_parser():
    found = outline_python(PYTHON)

    assert found is not None
    assert found.purpose == "Counts tides."
    assert found.inner_names == ("_helper",)
    assert [
        (each.name, each.signature, each.depth, each.remark) for each in found.declarations
    ] == [
        ("LIMIT", "LIMIT", 0, ""),
        (
            "high",
            "def high(at: int, *, near: float=0.5, ways=...) -> list[str]",
            0,
            "When the water is high.",
        ),
        ("Gauge", "class Gauge(Base)", 0, "Reads the sea."),
        ("Gauge.__init__", "def __init__(self, port)", 1, ""),
        ("Gauge.level", "@property async def level(self) -> float", 1, ""),
    ]


@pytest.mark.parametrize(
    "source",
    [b"def broken(:", b"\0", b"-" * 300_000 + b"1", b"x" + b".a" * 50_000, b"(" * 10_000],
)
def test_python_that_cannot_be_parsed_is_left_to_the_light_patterns(source):
    assert outline_python(source) is None


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_declarations_are_seen_and_comments_are_not(name):
    assert [each.name for each in sketch(name).declarations] == NAMES[name]


def test_comments_become_the_purpose_and_remarks():
    script, chart, java = sketch("a.js"), sketch("a.rs"), sketch("A.java")

    assert (script.purpose, chart.purpose) == ("Draws tides.", "Counts tides.")
    assert {each.name: each.remark for each in script.declarations}["load"] == "Loads it."
    assert java.declarations[0].remark == "Reads the sea."
    assert java.declarations[0].signature == "public final class Gauge implements Sea"
    assert sketch("run").purpose == "Starts it."


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_hostile_lines_take_no_time(name):
    lines = ["a " * 190, "<" * 390, "public " * 55, "x(" * 190, "\t" * 380, "/*" * 190, "a," * 195]
    started = time.perf_counter()

    sketch(name, ("#!/bin/sh\n" if name == "run" else "") + "\n".join(lines * 30) + "x" * 500_000)

    assert time.perf_counter() - started < 2


def test_a_text_that_is_too_long_loses_its_remarks_first_and_then_its_end():
    many = "".join(
        f'def tide_{n}(at: int) -> int:\n    """{"Word " * 20}."""\n' for n in range(150)
    )
    more = "".join(f"def tide_{n}(at: int) -> int: ...\n" for n in range(2_000))

    short, shorter = (outline_python(source.encode()) for source in (many, more))
    assert short is not None
    assert shorter is not None
    texts = [module_text("a.py", "Python", 1, each) for each in (short, shorter)]

    assert all(len(text.encode()) <= MOST_BYTES for text in texts)
    assert "tide_149" in texts[0]
    assert "Word" not in texts[0]
    assert texts[1].endswith(" more.")


MANIFESTS = {
    "pyproject.toml": (
        '[project]\nname = "tides"\ndescription = "Counts."\n[project.scripts]\ntides = "t:main"\n'
        '[project.entry-points.pytest11]\nt = "t.plugin"\n'
        '[tool.poe.tasks]\nlint = {cmd = "ruff check"}\n'
        '[tool.hatch.envs.test.scripts]\nrun = ["pytest", "coverage"]\n',
        Manifest(
            (
                "Python package tides: Counts.",
                "command tides: t:main",
                "plug-in of pytest11 t: t.plugin",
            ),
            ("poe lint: ruff check", "hatch run test:run: pytest && coverage"),
        ),
    ),
    "web/package.json": (
        '{"name": "tides", "main": "a.js", "bin": {"tides": "b.js"}, '
        '"packageManager": "pnpm@9.1.0", "scripts": {"build": "tsc -p ."}}',
        Manifest(
            ("Node package tides", "main: a.js", "command tides: b.js"),
            ("pnpm run build: tsc -p .",),
        ),
    ),
    "Makefile": (
        "CC := gcc\n.PHONY: test lint\n# Runs all tests.\ntest: build\n\tpytest\n"
        "lint: ## Looks.\nbuild/x.o: x.c\n%.o: %.c\n",
        Manifest((), ("make test: Runs all tests.", "make lint: Looks.")),
    ),
    "Cargo.toml": (
        '[package]\nname = "tides"\n[[bin]]\nname = "gauge"\npath = "src/g.rs"\n'
        '[workspace]\nmembers = ["a", "b"]\n',
        Manifest(
            ("Rust crate tides", "workspace of a, b", "binary gauge: src/g.rs"),
            ("cargo run --bin gauge",),
        ),
    ),
    "go.mod": (
        "module example.org/tides\n\ngo 1.24\n\ntool (\n\texample.org/x/stringer\n)\n"
        "require (\n\texample.org/y v1.0.0\n)\n",
        Manifest(
            ("Go module example.org/tides", "Go version 1.24"), ("go tool example.org/x/stringer",)
        ),
    ),
    "Dockerfile.dev": (
        'FROM python:3.12 AS build\nRUN x\nEXPOSE 8443\nCMD ["tides", \\\n  "serve"]\n',
        Manifest(("FROM python:3.12 AS build", "EXPOSE 8443", 'CMD ["tides", "serve"]')),
    ),
}


@pytest.mark.parametrize("path", sorted(MANIFESTS))
def test_a_manifest_tells_where_to_begin_and_what_to_run(path):
    text, expected = MANIFESTS[path]

    assert read_manifest(path, text) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "[project"),
        ("package.json", "[" * 100_000),
        ("package.json", "[]"),
        ("Cargo.toml", "a = " + "[" * 100_000),
    ],
)
def test_a_broken_manifest_says_so(path, text):
    assert read_manifest(path, text) == Malformed("malformed")


@pytest.mark.parametrize("path", ["pyproject.toml", "Cargo.toml"])
def test_a_manifest_of_wrong_types_tells_nothing(path):
    text = 'project = 1\ntool = []\npackage = "x"\nbin = 3\nworkspace = {members = 2}\n'

    assert read_manifest(path, text) == Manifest()
