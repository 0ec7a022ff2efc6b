"""The documentation's settings: Sphinx with MyST; papers' pages and reference are made when it is built."""

from __future__ import annotations

import sys
from pathlib import Path

from qtheory import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "qtheory"
author = "The qtheory authors"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "mathematics", "refereed", "reference"]
suppress_warnings = ["ref.python"]  # a type of two modules is left without a link

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_update_mathjax = False
nb_execution_mode = "off"  # the notebooks are committed as they ran, and the tests run them again
nb_render_markdown_format = "myst"

autodoc_inherit_docstrings = False
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = ["torch"]  # for measuring alone
html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "qtheory"
html_static_path = ["static"]
html_css_files = ["qtheory.css"]
html_show_sourcelink = False
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system has it
html_theme_options = {
    "navbar_align": "left", "show_toc_level": 2, "secondary_sidebar_items": ["page-toc"], "show_prev_next": False,
    "footer_start": [], "footer_end": [],
}
