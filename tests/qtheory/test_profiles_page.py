"""The page on profiles: its code runs, its example file is a valid profile, its names exist."""

from __future__ import annotations

import re
from pathlib import Path

from qtheory import profiles
from qtheory.models.laws import LAWS
from qtheory.profiles.files import parse_profile

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_code_runs() -> None:
    scope: dict[str, object] = {}
    exec(block("python"), scope)
    assert isinstance(scope["pair"], profiles.HardwareProfile)


def test_the_example_file_is_a_profile() -> None:
    profile = parse_profile(block("toml"), "profiles.md")
    assert profile.missing == ["beta"] and profile.r_squared[0].relation == ">"


def test_named_laws_and_profiles_exist() -> None:
    table = PAGE[PAGE.index("## Laws") : PAGE.index("## The file")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(LAWS)
    named = set(re.findall(r"`((?:a100|h200|b300|l40s|rtx)[a-z0-9.-]*)`", PAGE))
    assert named <= set(profiles.names())
