"""A keyring in a file, as the package `keyring` wants one: for processes that tests start."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError


class FileKeyring(KeyringBackend):
    """Keeps everything in one readable file."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        return _kept().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        _file().write_text(json.dumps({**_kept(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        raise PasswordDeleteError


def _file() -> Path:
    return Path(os.environ["TEST_KEYRING_FILE"])


def _kept() -> dict[str, str]:
    return json.loads(_file().read_text()) if _file().exists() else {}
