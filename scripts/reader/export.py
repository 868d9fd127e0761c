"""Writes what was trained as the files in the package.

    PYTHONPATH=src:scripts python scripts/reader/export.py build/reader.pt --out build/reader
    PYTHONPATH=src:scripts python scripts/reader/export.py build/embedder.pt --out build/embedder

Of the reader these are model.onnx and heads.json. The heads are plain arrays, run by NumPy; the
encoder keeps its large weights in 8 bits. The words, which are not trained, come from --begin.
"""

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from build_embedder import SentenceModel, build
from model import MODELS, reader, small_encoder
from onnx_files import OPSET, fuse, quantise


class States(torch.nn.Module):
    """The encoder alone: one vector per token."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids, attention_mask, token_type_ids):
        """The last layer."""
        return self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state


def export(model: torch.nn.Module, out: Path) -> None:
    """Write both files; heads are rounded to what 32-bit arithmetic can tell apart."""
    place = next(model.parameters()).device
    model.cpu().eval()
    model.encoder.config._attn_implementation = "eager"  # the one that `fuse` knows
    ids = torch.ones((2, 8), dtype=torch.int64)
    mask = ids.clone()
    mask[1, 6:] = 0  # where all is to be seen, the mask would be left out of the graph
    names = ["input_ids", "attention_mask", "token_type_ids"]
    free = {name: {0: "b", 1: "s"} for name in (*names, "states")}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "exported.onnx"
        torch.onnx.export(
            States(model.encoder).eval(), (ids, mask, torch.zeros_like(ids)), str(file),
            input_names=names, output_names=["states"], dynamic_axes=free,
            opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        (out / "model.onnx").write_bytes(quantise(fuse(file)).SerializeToString())
    check_padding(out / "model.onnx")
    heads = {
        name: {
            "weights": np.round(head.weight.detach().numpy().astype(float), 5).tolist(),
            "bias": np.round(head.bias.detach().numpy().astype(float), 6).tolist(),
            "labels": list(model.labels[name]),
        }
        for name, head in model.heads.items()
    }
    (out / "heads.json").write_text(json.dumps(heads) + "\n")
    model.encoder.config._attn_implementation = "sdpa"
    model.to(place)


def check_padding(file: Path) -> None:
    """Refuse a model of which a text's vectors depend on how far it is padded."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    ids = np.array([[101, 2023, 2003, 1037, 102, 0, 0, 0]])
    mask = np.where(ids > 0, 1, 0)
    padded, plain = (
        session.run(
            None, {"input_ids": i, "attention_mask": m, "token_type_ids": np.zeros_like(i)}
        )[0]
        for i, m in ((ids, mask), (ids[:, :5], mask[:, :5]))
    )
    gap = float(np.abs(padded[:, :5] - plain).max())
    if gap > 1e-4:
        raise SystemExit(f"padding changes what the model says, by {gap:.3f}")


def main() -> None:
    """Put the trained weights beside the words of the earlier model, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="what train.py or train_embedder.py left")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, default=MODELS, help="a folder of both models")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    weights = {name: each.float() for name, each in torch.load(given.weights).items()}
    is_reader = any(name.startswith("heads.") for name in weights)
    model = (
        reader(given.begin / "reader")
        if is_reader
        else small_encoder(given.begin / "minilm/model.onnx")
    )
    missing = model.load_state_dict(weights, strict=False).missing_keys
    assert [name.rsplit(".", 2)[1] for name in missing] == ["word_embeddings"], missing
    if is_reader:
        export(model, given.out)
    else:
        model.config._attn_implementation = "eager"  # the one that `fuse` knows
        build(SentenceModel(model.eval()), given.out / "model.onnx")


if __name__ == "__main__":
    main()
