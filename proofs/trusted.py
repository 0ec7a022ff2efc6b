"""How long the trusted code is."""

from __future__ import annotations

import ast
from importlib import resources


def kernel_lines() -> int:
    """Lines of the trusted code that are neither blank nor comment; docstrings, which argue soundness, are comments."""
    folder = resources.files("qtheory.proofs.kernel")
    return sum(code_lines(f.read_text(encoding="utf-8")) for f in folder.iterdir() if f.name.endswith(".py"))


def code_lines(source: str) -> int:
    """Lines of Python with code on them."""
    comment: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            text = node.body[0]
            comment |= set(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(1 for n, line in lines if n not in comment and line.strip() and not line.strip().startswith("#"))


def trusted_lines() -> int:
    return 0
