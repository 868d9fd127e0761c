"""Lets the kernel refuse system calls of this process, for faults that no library can soften."""

import ctypes
import errno
import platform
from collections.abc import Sequence
from pathlib import Path

_SYNC_CALLS = {"x86_64": (74, 75), "aarch64": (82, 83)}  # fsync, fdatasync
_LOAD_WORD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_CALL_NUMBER, _FIRST_ARGUMENT = 0, 16  # where they lie in the record the filter sees
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EIO
_SET_SECCOMP, _SET_NO_NEW_PRIVILEGES, _FILTER = 22, 38, 2


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction)))


def descriptors_of(path: Path) -> list[int]:
    """The descriptors under which this process has a file open."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if entry.readlink() == path:
                found.append(int(entry.name))
        except FileNotFoundError:
            continue  # the descriptor of this very listing
    return found


def refuse_syncs(descriptors: Sequence[int]) -> None:
    """From now on, and for good, every sync of these descriptors fails in this thread."""
    calls = _SYNC_CALLS[platform.machine()]
    last = len(descriptors)
    program = [
        (_LOAD_WORD, 0, 0, _CALL_NUMBER),
        (_JUMP_IF_EQUAL, 2, 0, calls[0]),
        (_JUMP_IF_EQUAL, 1, 0, calls[1]),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD_WORD, 0, 0, _FIRST_ARGUMENT),
        *((_JUMP_IF_EQUAL, last - at, 0, each) for at, each in enumerate(descriptors)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    array = (_Instruction * len(program))(*(_Instruction(*each) for each in program))
    loaded = _Program(len(program), array)
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if library.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(loaded), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")
