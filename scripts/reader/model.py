"""The reader while it is trained: the encoder and its heads, and how texts are given to it.

The teacher is the same with a larger encoder, all-mpnet-base-v2. Both know the same words.
"""

import json
import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

MODELS = Path(__file__).parents[2] / "src/engram/providers/models"
MOST_TOKENS, MOST_FIRST, MOST_SECOND = 256, 110, 140
WIDTH = 384
PARTS = {"relation": 4, "answer": 4}  # how many vectors a head reads; else 2
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_float32_matmul_precision("high")
tokenizer = Tokenizer.from_file(str(MODELS / "minilm/tokenizer.json"))
tokenizer.no_padding()
tokenizer.no_truncation()
CLS, SEP = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")


_PATH = re.compile(r"(?:embeddings|encoder\.layer)\..+")  # of a weight, as torch names it


class Reader(nn.Module):
    """An encoder; every head reads vectors of spans, most of them the first token's too."""

    def __init__(self, encoder: nn.Module, labels: dict[str, tuple[str, ...]]) -> None:
        super().__init__()
        self.encoder, self.labels = encoder, labels
        width = encoder.config.hidden_size
        self.heads = nn.ModuleDict({
            name: nn.Linear(PARTS.get(name, 2) * width, max(1, len(names)))
            for name, names in labels.items()
        })  # fmt: skip
        # The words keep what they meant before: most of them stand in no example.
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        self.drop = nn.Dropout(0.1)

    def states(self, ids, types):
        """A vector for every token."""
        return token_states(self.encoder, ids, types).float(), (ids != 0).long()

    def head(self, name, *parts):
        """What a head says of some vectors."""
        return self.heads[name](self.drop(torch.cat(parts, -1)))


def reader(folder: Path) -> Reader:
    """The reader in a folder, as it was exported."""
    heads = json.loads((folder / "heads.json").read_text("utf-8"))
    labels = {name: tuple(found["labels"]) for name, found in heads.items()}
    model = Reader(small_encoder(folder / "model.onnx"), labels)
    for name, found in heads.items():
        model.heads[name].weight.data = torch.tensor(found["weights"], dtype=torch.float32)
        model.heads[name].bias.data = torch.tensor(found["bias"], dtype=torch.float32)
    return model


def small_encoder(file: Path) -> BertModel:
    """all-MiniLM-L6-v2, or a copy of it that was trained further."""
    config = BertConfig(
        vocab_size=30522, hidden_size=WIDTH, num_hidden_layers=6, num_attention_heads=12,
        intermediate_size=1536, max_position_embeddings=512, layer_norm_eps=1e-12,
    )  # fmt: skip
    config._attn_implementation = "sdpa"
    return loaded(BertModel(config, add_pooling_layer=False), weights_of(file))


def large_encoder(file: Path) -> MPNetModel:
    """all-mpnet-base-v2, from the file that `weights.py` makes of it."""
    config = MPNetConfig(
        vocab_size=30527, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
        intermediate_size=3072, max_position_embeddings=514, layer_norm_eps=1e-5,
    )  # fmt: skip
    config._attn_implementation = "eager"
    return loaded(MPNetModel(config, add_pooling_layer=False), weights_of(file))


def loaded(encoder: nn.Module, weights: dict[str, torch.Tensor]) -> nn.Module:
    """The encoder with these weights; all of them have to be there."""
    missing = encoder.load_state_dict(weights, strict=False).missing_keys
    assert not [name for name in missing if "position_ids" not in name], missing
    return encoder


def token_states(encoder: nn.Module, ids: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
    """A vector for every token. The larger model numbers the same words otherwise."""
    mask = (ids != 0).long()
    if isinstance(encoder, MPNetModel):
        other = torch.where(ids == CLS, 0, torch.where(ids == SEP, 2, ids + 4))
        return encoder(
            input_ids=torch.where(ids == 0, 1, other), attention_mask=mask
        ).last_hidden_state
    return encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state


def trained_weights(model: nn.Module) -> dict[str, torch.Tensor]:
    """The weights that training has changed, in 16 bits: all but the words, half of the file."""
    return {
        name: each.half().cpu()
        for name, each in model.state_dict().items() if "word_embeddings" not in name
    }  # fmt: skip


def weights_of(file: Path) -> dict[str, torch.Tensor]:
    """The weights of an earlier reader's file, or of `weights.py`, brought back to 32 bits."""
    if file.suffix == ".npz":
        packed = np.load(file)
        return {
            name: torch.from_numpy(
                packed[name].astype(np.float32)
                * (packed[f"{name}::s"] if f"{name}::s" in packed.files else 1)
            )
            for name in packed.files if not name.endswith("::s")
        }  # fmt: skip
    graph = onnx.load(str(file)).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    values = {
        name.removesuffix("_q"): array.astype(np.float32) * stored[f"{name.removesuffix('_q')}_s"]
        for name, array in stored.items() if name.endswith("_q")
    }  # fmt: skip
    values |= {name: each for name, each in stored.items() if name[-2:] not in ("_q", "_s")}
    found = {}
    for name, array in values.items():
        if path := _PATH.search(name):
            found[path[0]] = torch.from_numpy(np.array(array))
    for node in graph.node:
        path = _PATH.search(node.output[0].replace("/", "."))
        if node.op_type == "Attention" and path:
            layer = ".".join(path[0].split(".")[:3])
            for place, name in enumerate(("query", "key", "value")):
                columns = slice(place * WIDTH, (place + 1) * WIDTH)
                weight, bias = (values[each][..., columns] for each in node.input[1:3])
                begin = f"{layer}.attention.self.{name}"
                found[f"{begin}.weight"] = torch.from_numpy(np.ascontiguousarray(weight.T))
                found[f"{begin}.bias"] = torch.from_numpy(np.array(bias))
        elif node.op_type == "MatMul" and node.input[1] in values and path:
            weight = torch.from_numpy(np.ascontiguousarray(values[node.input[1]].T))
            found[path[0].replace(".MatMul_output_0", ".weight")] = weight
    return found


def encode_turn(role, text, spans, starts=()):
    """The ids of a turn, for each span the places of its tokens, and the token at each start."""
    prefix = [CLS, *tokenizer.encode(f"{role}:", add_special_tokens=False).ids]
    found = tokenizer.encode(text, add_special_tokens=False)
    ids = [*prefix, *found.ids[: MOST_TOKENS - len(prefix) - 1], SEP]
    places = []
    for start, end in spans:
        inside = [
            i + len(prefix) for i, (a, b) in enumerate(found.offsets)
            if a < end and b > start and i + len(prefix) < len(ids) - 1
        ]  # fmt: skip
        places.append((inside[0], inside[-1] + 1) if inside else None)
    token_at = {a: i + len(prefix) for i, (a, _) in enumerate(found.offsets)}
    last = len(ids) - 1
    tokens = [token_at[at] if token_at.get(at, last) < last else None for at in starts]
    return ids, places, tokens


def token_ids(text):
    """The ids of a text without marks around it."""
    return tokenizer.encode(text, add_special_tokens=False).ids


def encode_pairs(pairs):
    """Pairs of texts in one tensor, and one that tells which tokens are the second text's."""
    rows = [[CLS, *first, SEP, *second, SEP] for first, second in pairs]
    types = [
        [0] * (len(first) + 2) + [1] * (len(row) - len(first) - 2)
        for row, (first, _) in zip(rows, pairs, strict=True)
    ]
    return pad(rows), pad(types)


def pad(batch, fill=0):
    """Rows of one length."""
    found = np.full((len(batch), max(map(len, batch))), fill, dtype=np.int64)
    for row, each in zip(found, batch, strict=True):
        row[: len(each)] = each
    return torch.from_numpy(found).to(DEVICE)
