"""The embedder in the package: golden vectors, broken files, forks and missing packages."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engram.errors import EmbedderUnavailable
from engram.providers import minilm
from engram.providers.minilm import PACKAGED_FOLDER, MiniLmEmbedder
from providers.contract import EmbedderContract

GOLDEN = json.loads((Path(__file__).parent / "golden_vectors.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def embedder():
    loaded = MiniLmEmbedder()
    yield loaded
    loaded.close()


class TestMiniLm(EmbedderContract):
    def fresh(self) -> MiniLmEmbedder:
        return MiniLmEmbedder(threads=1)


@pytest.mark.parametrize("golden", GOLDEN["vectors"], ids=lambda each: each["name"])
def test_the_vectors_are_those_of_the_release(embedder, golden):
    row = embedder.embed([golden["text"]])[0]

    assert np.allclose(row[:8], golden["first"], atol=1e-4)
    assert abs(float(np.linalg.norm(row)) - golden["norm"]) < 1e-4


@pytest.mark.parametrize(
    "golden", [each for each in GOLDEN["vectors"] if "fp32" in each], ids=lambda each: each["name"]
)
def test_the_vectors_have_not_moved_far_from_those_of_the_published_weights(embedder, golden):
    row = embedder.embed([golden["text"]])[0]

    assert float(row @ np.asarray(golden["fp32"])) > 0.75


def test_the_identity_names_the_files_and_the_preparation(embedder):
    assert embedder.identity == GOLDEN["identity"]
    assert embedder.dimension == 384


def test_texts_of_one_meaning_are_nearer_than_others(embedder):
    rows = embedder.embed([
        "Where is the spare key?", "We hide another key behind the shed.", "The soup needs salt.",
    ])  # fmt: skip

    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_nothing_is_loaded_before_it_is_needed(tmp_path):
    program = (
        "import sys\n"
        "from engram.providers.choose import choose_embedder\n"
        "from engram.providers.options import EmbedderOptions\n"
        "embedder = choose_embedder(EmbedderOptions())\n"
        "embedder.identity, embedder.dimension, embedder.is_loaded\n"
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers') if name in sys.modules])\n"
    )

    assert run(program).stdout.strip() == "[]"


def test_warming_returns_at_once_and_loads_in_the_background():
    fresh = MiniLmEmbedder()

    started = time.monotonic()
    fresh.warm()
    took = time.monotonic() - started
    deadline = started + 60
    while not fresh.is_loaded and time.monotonic() < deadline:
        time.sleep(0.01)

    assert took < 0.1
    assert fresh.is_loaded
    fresh.close()


def broken_copy(folder: Path) -> Path:
    copied = folder / "minilm"
    shutil.copytree(PACKAGED_FOLDER, copied)
    return copied


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["missing", "cut", "flipped", "empty"])
def test_a_damaged_file_is_unavailable_with_a_hint(tmp_path, name, damage):
    folder = broken_copy(tmp_path)
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    if damage == "missing":
        (folder / name).unlink()
    else:
        kept = {"cut": content[:1_000], "flipped": content, "empty": b""}[damage]
        (folder / name).write_bytes(kept)
    damaged = MiniLmEmbedder(folder=folder)

    with pytest.raises(EmbedderUnavailable, match="reinstall"):
        damaged.embed(["anything"])

    assert damaged.identity == GOLDEN["identity"]
    assert not damaged.is_loaded


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"name": 1}', None])
def test_a_damaged_manifest_is_unavailable_too(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content) if content is not None else None
    damaged = MiniLmEmbedder(folder=tmp_path)

    with pytest.raises(EmbedderUnavailable, match="reinstall"):
        damaged.embed(["anything"])

    assert damaged.dimension is None


def test_a_failure_to_load_is_remembered_and_not_tried_at_every_recall(tmp_path):
    damaged = MiniLmEmbedder(folder=tmp_path)
    with pytest.raises(EmbedderUnavailable):
        damaged.embed(["anything"])
    shutil.copytree(PACKAGED_FOLDER, tmp_path, dirs_exist_ok=True)

    with pytest.raises(EmbedderUnavailable, match="reinstall"):
        damaged.embed(["anything"])


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "numpy"])
def test_a_missing_package_is_unavailable_and_says_what_to_install(package):
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from engram.errors import EmbedderUnavailable\n"
        "from engram.providers.choose import choose_embedder\n"
        "from engram.providers.options import EmbedderOptions\n"
        "embedder = choose_embedder(EmbedderOptions())\n"
        "try:\n"
        "    embedder.embed(['a'])\n"
        "except EmbedderUnavailable as error:\n"
        "    print(error.hint)\n"
    )

    assert "pip install" in run(program).stdout


def test_a_child_of_a_fork_embeds_with_a_model_of_its_own():
    program = (
        "import os, numpy\n"
        "from engram.providers.minilm import MiniLmEmbedder\n"
        "embedder = MiniLmEmbedder()\n"
        "expected = embedder.embed(['a b c'])\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    found = None if embedder.is_loaded else embedder.embed(['a b c'])\n"
        "    same = found is not None and numpy.array_equal(found, expected)\n"
        "    embedder.close()\n"
        "    os._exit(0 if same else 1)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "assert numpy.array_equal(embedder.embed(['a b c']), expected)\n"
    )

    assert run(program).returncode == 0


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.15, 0.3])
def test_a_program_may_end_while_the_model_is_loading(delay):
    program = (
        "import time\n"
        "from engram.providers.minilm import MiniLmEmbedder\n"
        "embedder = MiniLmEmbedder()\n"
        "embedder.warm()\n"
        f"time.sleep({delay})\n"
    )

    done = run(program)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_licence_and_the_notice_lie_beside_the_model():
    assert "Apache License" in (PACKAGED_FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert "all-MiniLM-L6-v2" in (PACKAGED_FOLDER / "NOTICE").read_text(encoding="utf-8")
    assert minilm.PACKAGED_FOLDER.is_dir()


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
