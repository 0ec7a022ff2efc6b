"""Files written whole or not at all.  What stands in one is believed by nobody: it is checked when it is read."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from qtheory.errors import InputError


def write_whole(target: Path, text: str) -> None:
    """Write a file so that a reader finds the old content or the new, never a part.

    A link stays a link, and its end is written; what is no file, as a pipe or ``/dev/null``, is written into.
    """
    target = Path(os.path.realpath(target))
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {str(target)[:200]!r}: {getattr(error, 'strerror', None) or error}") from None
