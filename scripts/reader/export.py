"""Writes a trained reader as the files in the package: model.onnx and heads.json.

The heads are plain arrays, run by NumPy; the encoder keeps its large weights in 8 bits.
"""

import json
import tempfile
from pathlib import Path

import numpy as np
import torch
from corpus import ADDRESSEES, CATEGORIES, MODALITIES, RELATIONS
from onnx_files import OPSET, fuse, quantise

LABELS = {"category": CATEGORIES, "modality": MODALITIES, "addressee": ADDRESSEES,
          "relation": RELATIONS}  # fmt: skip


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
    ids = torch.ones((2, 8), dtype=torch.int64)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    free = {name: {0: "b", 1: "s"} for name in (*names, "states")}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "exported.onnx"
        torch.onnx.export(
            States(model.encoder).eval(), (ids, ids, torch.zeros_like(ids)), str(file),
            input_names=names, output_names=["states"], dynamic_axes=free,
            opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        (out / "model.onnx").write_bytes(quantise(fuse(file)).SerializeToString())
    heads = {
        name: {
            "weights": np.round(head.weight.detach().numpy().astype(float), 6).tolist(),
            "bias": np.round(head.bias.detach().numpy().astype(float), 6).tolist(),
            "labels": list(LABELS.get(name, ())),
        }
        for name, head in model.heads.items()
    }
    (out / "heads.json").write_text(json.dumps(heads) + "\n")
