"""Opens an ONNX model and its tokenizer, small in memory and with typed errors."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import ProviderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]  # it ships no types
    from tokenizers import Encoding, Tokenizer

HOW_TO_INSTALL = (
    "Its packages are missing or broken: pip install onnxruntime tokenizers. "
    "Until then recall goes by text."
)


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A tokenizer and a session that belong together."""

    tokenizer: Tokenizer
    session: InferenceSession

    def run(self, encoding: Encoding) -> NDArray[np.float32]:
        """The model's first output for one text.

        One at a time on purpose: a batch is padded and takes other paths through the matrix
        kernels, which changes the last bits, costs memory, and was no faster on two cores.
        """
        import numpy as np

        given = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        names = [each.name for each in self.session.get_inputs()]
        feed = {name: np.asarray([given[name]], dtype=np.int64) for name in names}
        return np.asarray(self.session.run(None, feed)[0], dtype=np.float32)


def open_onnx_model(model: Path, tokenizer: Path, *, max_tokens: int, threads: int) -> OnnxModel:
    """The model ready to run; whatever the two packages raise passes through."""
    # First, and by itself: it must not be met half-loaded by what two threads load at once.
    import numpy  # noqa: F401  # loaded for what follows
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # The arena would keep what the longest text needed. Spinning threads take the other core from
    # the rest of the program: twice the processor time, and half the speed on a busy machine.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    # By its path: of bytes the session would keep a copy, and a large model has its weights in
    # another file beside it.
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    reader = Tokenizer.from_buffer(tokenizer.read_bytes())
    reader.no_padding()
    reader.enable_truncation(max_tokens)
    return OnnxModel(reader, session)


def give_back_freed_memory() -> None:
    """Hand what loading took and freed back to the system; glibc alone keeps it otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


@contextmanager
def native_errors_as(unavailable: type[ProviderError], *, hint: str) -> Iterator[None]:
    """Translates what the native packages and the file system raise."""
    try:
        yield
    except ImportError as error:
        raise unavailable(hint=HOW_TO_INSTALL) from error
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        raise unavailable(hint=hint) from error
    except BaseException as error:
        # onnxruntime's errors share no parent but Exception, and tokenizers raises Exception
        # itself. Nothing else is taken for theirs.
        if type(error) is Exception or type(error).__module__.startswith("onnxruntime"):
            raise unavailable(hint=hint) from error
        raise
