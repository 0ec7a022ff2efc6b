"""Mathematics as MathML, made when the pages are built: no script, no font and no network is needed to read it."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from qtheory.report.referee.mathematics import mathml


def _inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math-block">{mathml(node.astext())}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
