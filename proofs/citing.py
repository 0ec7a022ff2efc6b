"""Citing a verdict: BibTeX entries with the version and the hash of the certificate."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from qtheory.proofs.visible import tex_escape


def library_version() -> str:
    """The installed version of the library."""
    try:
        return version("qtheory-llm")
    except PackageNotFoundError:  # the sources on the path, not installed
        return "unknown"


def certificate_hash(data: Any) -> str:
    """SHA-256 of a certificate's data, however the file that holds them is laid out."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def bibtex(key: str, title: str, verdict: str, data: Any | None) -> str:
    """A BibTeX entry for a verdict; ``data`` is the certificate, None where the verdict has none."""
    safe = re.sub(r"[^A-Za-z0-9.:-]+", "-", key).strip("-") or "derivation"
    evidence = f"certificate sha256:{certificate_hash(data)}" if data is not None else "no certificate"
    lines = (f"@misc{{qtheory:{safe},", f"  title = {{{tex_escape(title)}}},",
             f"  howpublished = {{qtheory {tex_escape(library_version())}}},",
             f"  note = {{{tex_escape(verdict)}; {evidence}}}", "}")
    return "\n".join(lines)
