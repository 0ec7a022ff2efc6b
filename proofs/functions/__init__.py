"""The functions of the language, for the search: a file a function.

A function is added here, in the kernel, in the second checker and on the page of the language; the search finds it in
``FUNCTIONS``.
"""

from __future__ import annotations
