"""Makes the model files in the package small: fused operators, large weights in 8 bits."""

from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.transformers import optimizer

HEADS, WIDTH, OPSET = 12, 384, 17
SMALLEST_QUANTISED_BYTES = 100_000


def fuse(file: Path) -> onnx.ModelProto:
    """The graph with attention, layer norm and GELU as single operators."""
    fused = optimizer.optimize_model(
        str(file), model_type="bert", num_heads=HEADS, hidden_size=WIDTH, opt_level=0
    )
    # The optimiser names the domain of its own operators only when it writes the file itself.
    if not any(each.domain == "com.microsoft" for each in fused.model.opset_import):
        fused.model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return fused.model


def quantise(model: onnx.ModelProto) -> onnx.ModelProto:
    """Every large weight as int8 with a scale, followed by Cast and Mul.

    onnxruntime computes both once, when the model is loaded: the file is a quarter of the size,
    and all arithmetic on texts stays in 32 bits, so that no vector depends on its batch.
    """
    kept, before = [], []
    for weight in model.graph.initializer:
        values = numpy_helper.to_array(weight)
        is_large = values.ndim == 2 and values.nbytes > SMALLEST_QUANTISED_BYTES
        if not is_large or values.dtype != np.float32:
            kept.append(weight)
            continue
        axis = 1 if "embeddings" in weight.name else 0
        scale = np.maximum(np.abs(values).max(axis=axis, keepdims=True), 1e-12) / 127.0
        small = np.clip(np.round(values / scale), -127, 127).astype(np.int8)
        name = weight.name
        kept.append(numpy_helper.from_array(small, f"{name}_q"))
        kept.append(numpy_helper.from_array(scale.astype(np.float32), f"{name}_s"))
        before.append(
            helper.make_node("Cast", [f"{name}_q"], [f"{name}_f"], to=onnx.TensorProto.FLOAT)
        )
        before.append(helper.make_node("Mul", [f"{name}_f", f"{name}_s"], [name]))
    nodes = [*before, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model
