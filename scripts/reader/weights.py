"""Packs the published 32-bit weights of all-mpnet-base-v2 into 8 bits with a scale per row.

    python scripts/reader/weights.py model.safetensors build/teacher.npz

The teacher of `train.py` and `train_embedder.py` starts from this file; it is small enough to be
carried to another machine.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np


def main() -> None:
    """Read one safetensors file and write one npz file."""
    raw = Path(sys.argv[1]).read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    packed = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = (8 + size + place for place in entry["data_offsets"])
        values = np.frombuffer(raw[begin:end], dtype=np.float32).reshape(entry["shape"])
        if values.ndim == 2 and values.nbytes > 100_000:
            scale = np.maximum(np.abs(values).max(1, keepdims=True), 1e-12) / 127
            packed[name] = np.clip(np.round(values / scale), -127, 127).astype(np.int8)
            packed[f"{name}::s"] = scale.astype(np.float32)
        else:
            packed[name] = values
    np.savez(sys.argv[2], **packed)


if __name__ == "__main__":
    main()
