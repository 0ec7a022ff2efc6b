"""Files written whole or not at all.  What stands in one is believed by nobody: it is checked when it is read."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from qtheory.errors import InputError


def write_whole(path: str | Path, content: str | bytes, *, sync: bool = False) -> None:
    """Write a file so that a reader finds the old content or the new, never a part; what may be done with the old one
    may be done with the new.

    A link stays a link, and its end is written; what is no file, as a pipe or ``/dev/null``, is written into. With
    ``sync`` the file is whole after a crash of the machine too. Raises InputError where that cannot be done.
    """
    target, data = Path(os.path.realpath(path)), content.encode() if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                if sync:
                    stream.flush()
                    os.fsync(stream.fileno())
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~umask)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        raise InputError(f"{str(path)[:200]}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
