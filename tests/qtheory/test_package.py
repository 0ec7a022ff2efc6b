"""What a notebook finds under ``qt``: every name that is listed loads, and others are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from IPython.lib.pretty import pretty

import qtheory as qt
from qtheory import networks, simulate
from qtheory.cli import main
from qtheory.simulate.scenarios import parse


@pytest.mark.parametrize("package", [qt, networks, simulate],
                         ids=["qtheory", "qtheory.networks", "qtheory.simulate"])
def test_every_listed_name_loads(package) -> None:
    assert set(dir(package)) == set(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'no_such_name'; it has"):
        package.no_such_name  # noqa: B018


def test_what_a_notebook_shows_of_profiles_and_scenarios() -> None:
    assert repr(qt.profiles.load("a100-40gb-qwen-8b")) == (
        "<profile a100-40gb-qwen-8b: prefill_decode law of Qwen-8B on A100-SXM4-40GB>")
    assert pretty(simulate.load("mm1")) == "<scenario 'M/M/1 at load 0.8': network; 10 replications of 200,000 s>"
    assert all(len(repr(qt.profiles.load(name))) < 120 for name in qt.profiles.names())


def test_a_shipped_scenario_is_shown_to_start_one_s_own_from(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--show", "mm1"])
    assert parse(capsys.readouterr().out, "shown.toml", Path()) == simulate.load("mm1")
