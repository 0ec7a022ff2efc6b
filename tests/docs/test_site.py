"""The documentation as a site: built without a warning, no link is dead, verdicts are the recorded ones."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from qtheory.cli import COMMANDS
from qtheory.proofs.corpus import claims, paper, papers
from qtheory.proofs.records import current
from qtheory.proofs.steps import STYLE

DOCS = Path(__file__).parents[2] / "docs"


class _Page(HTMLParser):
    """The ids and the links of a page, and the text of its verdicts by claim."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.verdicts: dict[str, str] = {}
        self.claim, self.said, self.scripts = "", False, set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.add(found.get("id") or "")
        for name in ("href", "src"):
            self.links |= {found[name] or ""} if name in found else set()
        self.claim = found.get("id") or "" if "claim" in (found.get("class") or "").split() else self.claim
        self.said = "verdict" in (found.get("class") or "").split()

    def handle_data(self, data: str) -> None:
        if self.said:
            self.verdicts[self.claim], self.said = data, False


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, once: Callable[[str, Callable[[], Path]], Path],
         ) -> Mapping[Path, _Page]:
    for module in ("sphinx", "myst_nb", "pydata_sphinx_theme"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    folder = once("site", lambda: _built(tmp_path_factory.mktemp("site")))
    return {f: _Page(f.read_text(encoding="utf-8")) for f in folder.rglob("*.html") if "_static" not in f.parts}


def _built(out: Path) -> Path:
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(out / "trees"), str(DOCS),
         str(out / "html")], capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": "0"}, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    return out / "html"


@pytest.mark.slow(60)
def test_no_link_is_dead(site: Mapping[Path, _Page]) -> None:
    dead = []
    for file, page in site.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or not link:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists() or (parts.fragment and target in site
                                       and unquote(parts.fragment) not in site[target].ids):
                dead.append(f"{file.name}: {link}")
    assert not dead, dead[:20]


@pytest.mark.slow(60)
def test_each_claim_stands_on_its_papers_page_with_its_verdict(site: Mapping[Path, _Page]) -> None:
    shown, known = dict[str, str](), current()
    for page in site.values():
        shown |= page.verdicts
    for key in papers():
        for claim in paper(key).claims:
            assert shown[claim.id].split(" ")[0] == known[claim.id]["verdict"], claim.id
    assert len(claims()) <= len(shown)


@pytest.mark.slow(60)
def test_every_command_has_its_help(site: Mapping[Path, _Page]) -> None:
    page = next(p for f, p in site.items() if f.name == "commands.html")
    assert {f"qtheory-{name}" for name in COMMANDS} <= page.ids


@pytest.mark.slow(60)
def test_nothing_is_fetched_from_the_network(site: Mapping[Path, _Page]) -> None:
    for file, page in site.items():
        text = file.read_text(encoding="utf-8").replace(STYLE, "")  # it speaks of MathJax, and calls none
        assert not [x for x in ("cdn.", "mathjax", "googleapis", "require.js") if x in text.lower()], file
        assert page.ids
