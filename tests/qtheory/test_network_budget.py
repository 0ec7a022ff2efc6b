"""The budget of a decision: work, which is counted, so that as much is tried on a slow machine."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from qtheory.cli import main
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import last_buffer_first, reentrant_line, tandem
from qtheory.models.network_files import dumps
from qtheory.networks import bracket, decide
from qtheory.networks.shipped import load
from qtheory.networks.simulation import TooMuchWork, evidence_for
from qtheory.proofs.tactics.effort import SECOND, spent


@pytest.mark.later
def test_the_budget_says_how_many_orders_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qtheory.networks.deciding._stable", lambda *_: None)
    little, again, much = (decide(load("dai-wang"), budget=budget) for budget in (0.02, 0.02, 5))
    assert {d.verdict for d in (little, again, much)} == {"undecided"} and little.searched == again.searched
    assert "under 2 complete orders" in little.searched[0]
    assert all("under 12 complete orders" in told for told in much.searched)


def test_the_budget_ends_a_path_of_many_visits() -> None:
    """24 visits at eight engines, of which each direction of a path may be one of tens of thousands."""
    line = reentrant_line("ABCDEFGHHGFEDCBACADBGEHF", [Fraction(3, 10)] * 24)
    order = last_buffer_first(line).with_priority({"A": ("1", "16", "18")})
    begin = spent()
    found = decide(order, budget=0.2)
    assert found.verdict == "undecided" and spent() - begin < 2 * SECOND


def hard() -> AgentNetwork:
    """19 visits at five engines, 2,303 patterns: half a minute of a processor where nothing bounds the search."""
    line = reentrant_line("ABCDEDCBAABCDEABCDE", [Fraction(1, 5)] * 19)
    return line.refined({v.name: (7 * i) % 19 for i, v in enumerate(line.visits)})


def crossing() -> AgentNetwork:
    """Five types of six visits at two engines: 16,807 push starts."""
    types = tuple(RequestType(f"t{j}", Fraction(1), tuple(
        Visit(f"t{j}.{k}", "AB"[(k + j) % 2], Fraction(1, 16), after=(f"t{j}.{k - 1}",) if k else ())
        for k in range(6))) for j in range(5))
    return AgentNetwork((Engine("A"), Engine("B")), types)


@pytest.mark.slow
@pytest.mark.parametrize("budget", [0.5, 2.0])
def test_the_budget_bounds_functions_stages_stations_and_paths(budget: float) -> None:
    for network in (hard(), crossing()):
        begin, told = spent(), list[tuple[float, float]]()
        found = decide(network, budget=budget, report=lambda done, of, to=told: to.append((done, of)))
        assert spent() - begin < (budget + 0.3) * SECOND
        assert told == sorted(told) and told[0][0] == 0 and {of for _, of in told} == {int(budget)}
        if found.verdict == "undecided":
            assert any("within the budget" in said for said in found.searched)


@pytest.mark.later
def test_virtual_stations_are_looked_at_for_a_part_of_the_budget() -> None:
    found = decide(crossing(), budget=0.5)
    assert "virtual stations: not all within the budget" in found.searched and found.virtual


def test_nothing_is_believed_that_the_budget_does_not_let_check() -> None:
    """A function is found, but its proofs would take longer to check than is left."""
    line = last_buffer_first(reentrant_line("ABCABC", [Fraction(1, 3)] * 6))
    needs = len(decide(line).certificate["proofs"])  # type: ignore[index]
    found = decide(line, budget=0.15)
    assert found.verdict == "undecided" and found.certificate is None
    assert any(f"to check its {needs} proofs" in said or "within the budget" in said for said in found.searched)


@pytest.mark.later
def test_what_comes_early_comes_once_and_not_for_quick_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qtheory.networks.budget.EARLY", 0.2)
    calls = list[int]()
    decide(tandem(["1/2", "2/3"]), early=lambda: calls.append(1))
    assert calls == []
    begin = spent()
    decide(hard(), budget=0.6, early=lambda: calls.append(spent() - begin))
    assert len(calls) == 1 and 0.2 * SECOND < calls[0] < 0.5 * SECOND


def test_evidence_is_told_before_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    order = list[str]()
    monkeypatch.setattr("qtheory.networks.deciding._stable", lambda *_: order.append("certificates"))
    monkeypatch.setattr("qtheory.networks.deciding._unstable", lambda *_: None)
    monkeypatch.setattr("qtheory.networks.simulation.evidence_for",
                        lambda *_: order.append("evidence") or "simulated: stable")
    file = tmp_path / "net.toml"
    file.write_text(dumps(hard()), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["network", str(file), "--simulate"])
    out, err = capsys.readouterr()
    assert order == ["evidence", "certificates"] and err == "first, evidence and no proof: simulated: stable\n"
    assert out.endswith("  evidence, no proof: simulated: stable\n")
    order.clear()
    with pytest.raises(SystemExit):
        main(["network", str(file)])
    out, err = capsys.readouterr()
    assert order == ["certificates", "evidence"] and err == ""  # nothing was searched for long
    assert out.endswith("  evidence, no proof: simulated: stable\n")


@pytest.mark.slow
def test_the_factors_share_one_budget() -> None:
    begin = spent()
    found = bracket(hard(), budget=0.5, total=1.0)
    assert spent() - begin < 1.3 * SECOND
    assert found.unstable is not None and dict(found.tried)[found.unstable] == "unstable"
    assert found.stable is None or (dict(found.tried)[found.stable] == "stable" and found.stable < found.unstable)
    wide = bracket(tandem(["1/2", "4/5"]), total=0.01)
    assert wide.stable is not None and wide.unstable is not None and wide.exact == Fraction(5, 4)
    assert wide.unstable - wide.stable > Fraction(1, 10**6) * wide.unstable


def processor_sharing(visits: int) -> AgentNetwork:
    """A line through four engines that share their time, of load 9/10."""
    line = tuple(Visit(f"v{i}", "ABCD"[i % 4], Fraction(36, 10 * visits), after=(f"v{i - 1}",) if i else ())
                 for i in range(visits))
    return AgentNetwork(tuple(Engine(e, policy="processor-sharing") for e in "ABCD"),
                        (RequestType("t", Fraction(1), line),))


@pytest.mark.parametrize("network", [reentrant_line("ABCDEFGHIJ" * 200, [Fraction(9, 2000)] * 2000),
                                     processor_sharing(2000)], ids=["in turn", "sharing"])
def test_a_simulation_that_the_budget_does_not_let_run_long_enough_is_not_run(network: AgentNetwork) -> None:
    """2,000 visits: the traffic equations alone take seconds; and few requests, all still on their way, prove none."""
    begin = spent()
    with pytest.raises(TooMuchWork, match=r"to simulate 2000 visits for long enough takes about .* units of work, "
                                          r"and at most 0\.25 may go to it"):
        evidence_for(network, share=0.1, most=0.25)
    assert spent() == begin


def test_a_run_lasts_twenty_times_as_long_as_a_request_takes_alone() -> None:
    """Else the requests that no run is long enough for pile up, and a stable network looks unstable."""
    begin, found = spent(), evidence_for(processor_sharing(40), share=0.001)
    assert found is not None and found.horizon >= 20 * 4 * 0.9 and found.stability.verdict != "unstable"
    assert spent() - begin > 0.1 * SECOND  # of events whose rates are sums over the visits at an engine


def test_the_command_says_what_a_simulation_would_take(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "net.toml"
    file.write_text(dumps(reentrant_line("ABCDEFGHIJ" * 100, [Fraction(9, 1000)] * 1000)), encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["network", str(file), "--budget", "1"])
    assert end.value.code == 3
    assert capsys.readouterr().out.endswith("units of work, and at most 0.25 may go to it: a larger --budget lets it "
                                            "run\n")
