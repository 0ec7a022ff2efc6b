"""A plot as a page of its own: the picture inline, and with a script the values under the pointer; no network."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>body{{margin:1rem;font:15px system-ui,sans-serif;color:#222;background:#fff}}
figure{{margin:0 auto;max-width:{width:.0f}px;position:relative}}svg{{width:100%;height:auto;display:block}}
#told{{position:absolute;pointer-events:none;background:#fffd;border:1px solid #888;border-radius:4px;padding:2px 6px;
white-space:pre;display:none}}</style></head>
<body><figure>{picture}<div id="told" role="status"></div></figure>
<p>Move over the picture for the values of the nearest point.</p>
<script type="application/json" id="data">{data}</script>
<script>{script}</script></body></html>
"""
_SCRIPT = """
const panels = JSON.parse(document.getElementById('data').textContent), told = document.getElementById('told');
const svg = document.querySelector('figure svg'), box = svg.viewBox.baseVal;
svg.addEventListener('pointermove', event => {
  const at = svg.getBoundingClientRect(), scale = box.width / at.width;
  const x = (event.clientX - at.left) * scale, y = (event.clientY - at.top) * scale;
  let best = null, least = 400;
  for (const panel of panels) for (const line of panel.lines) line.at.forEach(([px, py], i) => {
    const far = (px - x) ** 2 + (py - y) ** 2;
    if (far < least) { least = far; best = [panel, line, i]; }
  });
  told.style.display = best ? 'block' : 'none';
  if (!best) return;
  const [panel, line, i] = best;
  told.textContent = (line.name ? line.name + '\\n' : '') + panel.x + ': ' + line.x[i] + '\\n' + panel.y + ': ' +
    line.y[i];
  told.style.left = Math.min(line.at[i][0] / scale + 12, Math.max(at.width - told.offsetWidth, 0)) + 'px';
  told.style.top = line.at[i][1] / scale + 12 + 'px';
});
svg.addEventListener('pointerleave', () => { told.style.display = 'none'; });
"""


def page(figure: Figure, picture: bytes, title: str) -> bytes:
    """The page of a figure whose ``picture`` is its SVG, drawn just before (so that its places are known)."""
    width, height = 72 * figure.get_size_inches()
    panels = [_panel(axes, float(height)) for axes in figure.axes]
    data = json.dumps([p for p in panels if p["lines"]]).replace("<", "\\u003c")
    svg = picture.decode()
    return _PAGE.format(title=html.escape(title), width=1.8 * width, picture=svg[svg.index("<svg"):], data=data,
                        script=_SCRIPT).encode()


def _panel(axes: Any, height: float) -> dict[str, Any]:
    """Its lines in their own numbers, and where each point stands in the picture, in points from the upper left."""
    lines = []
    for line in axes.get_lines():
        places = np.column_stack([np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)])
        where = line.get_transform().transform(places) * 72 / axes.figure.dpi
        inside = np.isfinite(where).all(axis=1) & axes.patch.contains_points(where * axes.figure.dpi / 72, radius=1)
        if len(places) > 2 and inside.any():
            name = str(line.get_label())
            lines.append({"name": "" if name.startswith("_") else _plain(name),
                          "x": _numbers(places[inside, 0]), "y": _numbers(places[inside, 1]),
                          "at": [[round(float(x), 1), round(height - float(y), 1)] for x, y in where[inside]]})
    return {"x": _plain(axes.get_xlabel()) or "x", "y": _plain(axes.get_ylabel()) or "y", "lines": lines}


def _numbers(values: Any) -> list[float]:
    return [float(f"{v:.5g}") for v in values]


def _plain(label: str) -> str:
    """A label without the marks of mathematics."""
    for mark in ("$", "\\mathrm", "{", "}"):
        label = label.replace(mark, "")
    return label.replace("\\", "")
