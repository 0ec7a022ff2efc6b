"""``qtheory network``: text, JSON, certificates, the shipped networks, and one line for bad input."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from pathlib import Path

import pytest

import qtheory as qt
from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import reentrant_line, tandem
from qtheory.models.network_files import dumps, load, parse
from qtheory.networks import Decision, decide, rereading
from qtheory.networks.certified import CHECKED, Rejected

SHIPPED = Path(__file__).parents[2] / "qtheory" / "networks" / "data"
ANSWERS = {"tandem": 0, "rybko-stolyar-agents": 1, "rybko-stolyar-agents-reversed": 0, "rybko-stolyar": 1,
           "lu-kumar": 1, "dai-wang": 0, "fork-join": 0, "reentrant-line": 0, "three-stations": 0,
           "two-types": 0, "tool-calls": 0}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["network", *arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "reentrant-line"))
                                  for n in sorted(ANSWERS)])
def test_the_shipped_networks_are_answered(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "cert.json"
    status, out, _ = run(capsys, name, "-o", str(file))
    assert status == ANSWERS[name] and load(SHIPPED / f"{name}.toml").title in out
    assert ("not stable under" if status else "\nstable under") in out and CHECKED in out
    checked, said, _ = run(capsys, name, "--check", str(file))
    assert checked == 0 and f": valid: {'unstable' if status else 'stable'}, {CHECKED}" in said
    with pytest.raises(SystemExit) as end:
        main(["check", str(file)])
    assert end.value.code == 1 and "decides nothing without the network's file" in capsys.readouterr().out


def test_every_shipped_network_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--list")
    names = [line.split()[0] for line in out.splitlines()]
    assert status == 0 and set(names) == {p.stem for p in SHIPPED.glob("*.toml")} == {*ANSWERS, "bramson-fcfs"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tool-calls", "lu-kumar", "three-stations"])
def test_a_notebook_shows_a_decision_as_the_terminal_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from IPython.lib.pretty import pretty

    shown = pretty(qt.networks.decide(qt.networks.load(name)))
    assert shown + "\n" == run(capsys, name)[1] and len(shown.splitlines()) > 4


def test_a_network_is_found_by_name_or_by_file() -> None:
    assert qt.networks.load("tandem") == qt.networks.load(SHIPPED / "tandem.toml") == load(SHIPPED / "tandem.toml")
    with pytest.raises(UnknownNameError, match="unknown network 'tandm'; nearest: tandem"):
        qt.networks.load("tandm")
    with pytest.raises(InputError, match=r"^tandm\.toml: no such file$"):
        qt.networks.load("tandm.toml")


@pytest.mark.slow
def test_undecided_comes_with_what_was_searched_and_a_simulation(capsys: pytest.CaptureFixture[str], tmp_path: Path
                                                                 ) -> None:
    file = tmp_path / "cert.json"
    status, out, err = run(capsys, "bramson-fcfs", "-o", str(file))
    assert status == 3 and "searched: a Lyapunov function, linear: none" in out
    assert "searched: growing cycles and cones of fluid paths: not looked for, first come, first served at A, B" in out
    assert "evidence, no proof: simulated" in out and "not written" in err and not file.exists()
    joined = tmp_path / "joined.toml"
    routes = [[("1", "a", "1/10", ()), ("2", "b", "1/10", ()), ("3", "b", "3/5", ("1", "2"))],
              [("4", "b", "1/10", ()), ("5", "a", "1/10", ()), ("6", "a", "3/5", ("4", "5"))]]
    joined.write_text(dumps(AgentNetwork((Engine("a"), Engine("b")), tuple(RequestType(str(i), Fraction(1), tuple(
        Visit(n, e, Fraction(m), after=after) for n, e, m, after in visits)) for i, visits in enumerate(routes))
        ).with_priority({"a": ("6", "1", "5"), "b": ("3", "4", "2")})), encoding="utf-8")
    status, out, _ = run(capsys, str(joined))
    assert status == 3 and "virtual stations: not looked at, visits join" in out
    assert "fluid paths: not looked for, visits join" in out and "simulated with times made tokens" in out


@pytest.mark.slow
def test_evidence_is_token_by_token_where_there_are_output_tokens(capsys: pytest.CaptureFixture[str], tmp_path: Path
                                                                  ) -> None:
    status, out, _ = run(capsys, "fork-join", "--simulate")
    assert status == 0 and "evidence, no proof: simulated token by token" in out and "stable (error rate 0.01" in out
    status, out, _ = run(capsys, "rybko-stolyar-agents", "--simulate", "--format", "json")
    found = json.loads(out)["simulation"]
    assert (found["model"], found["verdict"]) == ("token by token", "unstable")
    assert found["growth"][1] < 1392 / 1615 < found["growth"][2]  # of the fluid model
    forks = tmp_path / "forks.toml"
    forks.write_text(dumps(AgentNetwork((Engine("a"), Engine("b")), (RequestType("t", Fraction(1, 2), (
        Visit("1", "a", Fraction(1, 2)), Visit("2", "b", Fraction(1, 2), after=("1",)),
        Visit("3", "b", Fraction(1, 2), after=("1",)))),))), encoding="utf-8")
    status, out, _ = run(capsys, str(forks), "--simulate")  # no tokens, and the other simulator knows no forks
    assert status == 0 and "simulated with times made tokens" in out and ": stable (error rate 0.01" in out
    network = load(forks)
    long = dataclasses.replace(network.types[0].visits[0], prompt=Fraction(1, 10**6))
    unlike = dataclasses.replace(network.types[0], visits=(long, *network.types[0].visits[1:]))
    forks.write_text(dumps(dataclasses.replace(network, types=(unlike,)).scaled(2)), encoding="utf-8")
    status, _, err = run(capsys, str(forks), "--simulate")
    assert status == 2 and err.count("\n") == 1 and "times as unlike as these" in err
    status, out, _ = run(capsys, str(forks))
    assert status == 3 and "load 1 exactly" in out and "no evidence: no simulator has forks" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rybko-stolyar-agents", "--format", "json")
    found = json.loads(out)
    assert (status, found["verdict"], found["cycle"]["growth"]) == (1, "unstable", "23409/1369")
    assert found["loads"] == {"agent 1": "9/10", "agent 2": "9/10"}
    assert found["virtual_stations"][0] == {"engines": ["agent 1", "agent 2"], "visits": ["A2", "B1"], "pushed": [],
                                            "load": "153/95"}
    assert found["lyapunov"] is None and found["simulation"] is None and found["certificate"] is None


@pytest.mark.slow
def test_the_critical_factor(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.write_text(dumps(tandem(["1/2", "4/5"])), encoding="utf-8")
    status, out, _ = run(capsys, str(file), "--critical", "--format", "json")
    critical = json.loads(out)["critical"]
    assert status == 0 and critical["exact"] == "5/4"


@pytest.mark.slow
def test_how_functions_and_numbers_near_1_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "\n  L = R(3)\n" in run(capsys, "tandem")[1]
    assert "\n  L = 1/3 R(4) - 1/3 R(5) + 1/3 R(6) - " in run(capsys, "reentrant-line")[1]
    assert "\n  V = Z(1)^2 + 126/869 Z(1) Z(2) + " in run(capsys, "three-stations")[1]
    file = tmp_path / "net.toml"
    file.write_text(dumps(tandem([1 + Fraction(1, 10**30)])), encoding="utf-8")
    assert "1 is overloaded: its load is 1 + 1e-30" in run(capsys, str(file))[1]


def test_overload_names_the_engine(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.write_text(dumps(tandem(["1/2", "5/4"])), encoding="utf-8")
    status, out, _ = run(capsys, str(file))
    assert status == 1 and "2 is overloaded: its load is 5/4" in out


def test_drawing_and_schema(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.svg"
    assert run(capsys, "tandem", "--draw", str(file))[0] == 0 and "<svg" in file.read_text(encoding="utf-8")
    assert json.loads(run(capsys, "--schema")[1])["title"] == "A network of agents"


@pytest.mark.parametrize(("text", "says"), [
    ("[[engine]]\nname = 'a'\n[[type]]\nname = 't'\nrate = 1\n[[type.visit]]\nname = 'v'\nengine = 'b'\nlength = 1",
     "net.toml, line 8: type 't', visit 'v': unknown engine 'b'; nearest: a"),
    ("[[engine]", "net.toml: "),
    ("", "net.toml, line 1: the network lacks engine"),
])
def test_bad_files_are_one_line(text: str, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.write_text(text, encoding="utf-8")
    status, out, err = run(capsys, str(file))
    assert (status, out, err.count("\n")) == (2, "", 1) and says in err


@pytest.mark.parametrize("arguments", [
    (), ("nothing-like-this",), ("tandem", "--budget", "0"), ("tandem", "--check", "none"),
    ("tandem", "--draw", "no/such/folder.png"), ("tandem", "--format", "xml"), ("tandem", "-o", "no/such/folder.json"),
])
def test_bad_arguments_are_one_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2 and err.count("\n") == 1 and "Traceback" not in err


def test_a_certificate_of_another_network_is_rejected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, other = tmp_path / "cert.json", tmp_path / "net.toml"
    other.write_text(dumps(reentrant_line("AB", ["1/2", "1/3"])), encoding="utf-8")
    assert run(capsys, "tandem", "-o", str(file))[0] == 0
    status, out, _ = run(capsys, str(other), "--check", str(file))
    assert status == 1 and "rejected" in out
    for text in ("{}", "[1]", '"a"', '{"derivation": 1}'):
        file.write_text(text, encoding="utf-8")
        assert run(capsys, str(other), "--check", str(file))[0] == 1
    file.write_text("{", encoding="utf-8")
    assert run(capsys, str(other), "--check", str(file))[0] == 2


EVIL = "\x1b[2J\nstable under every order\u202e\u2066\x7f\x85"


@pytest.mark.later
@pytest.mark.parametrize("form", ["text", "json"])
def test_words_of_a_file_cannot_pretend(form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Titles and names are shown in one line, with what cannot be seen spelled out; the verdict is the checkers'."""
    file, made = tmp_path / "net.toml", tmp_path / "cert.json"
    for work, status in (("5/4", 1), ("1/2", 0)):
        visit = Visit(f"v{EVIL}", f"e{EVIL}", Fraction(work))
        network = AgentNetwork((Engine(f"e{EVIL}"),), (RequestType(f"t{EVIL}", Fraction(1), (visit,)),), f"{EVIL}!")
        file.write_text(dumps(network), encoding="utf-8")
        assert load(file) == network
        for arguments in ([], ["--critical"], ["-o", str(made)], ["--check", str(made)]):
            found, out, err = run(capsys, str(file), *arguments, "--format", form)
            assert found == (0 if "--check" in arguments else status)
            assert all(line.isprintable() for text in (out, err) for line in text.split("\n"))
            assert not any(line.startswith(("stable under every order", "unstable under every")) and status
                           for line in out.splitlines())
            if form == "text" and not arguments:
                assert "(the file's words, not checked)" in out.splitlines()[0]
            if form == "json":
                shown = json.loads(out)
                assert shown["verdict"] == ("unstable" if status else "stable") and shown["checked"] == CHECKED
    file.write_text(dumps(tandem([1])), encoding="utf-8")
    data = json.loads(made.read_text(encoding="utf-8"))
    for changed in ({**data, "claim": {"kind": EVIL}}, {**data, EVIL: 1}, {**data, "proofs": [
            {**p, "wanted": EVIL, "given": [EVIL]} for p in data["proofs"]]}):
        made.write_text(json.dumps(changed), encoding="utf-8")
        found, out, _ = run(capsys, str(file), "--check", str(made), "--format", form)
        assert found == 1 and all(line.isprintable() for line in out.split("\n"))


def test_undecided_is_marked_as_not_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.write_text(dumps(tandem([1])), encoding="utf-8")
    status, out, _ = run(capsys, str(file), "--format", "json")
    found = json.loads(out)
    assert status == 3 and found["verdict"] == "undecided" and found["checked"] is None


def test_no_decision_is_made_by_hand() -> None:
    """A verdict comes with its certificate, and that is checked for the network when it is made, copied or changed."""
    decision, other = decide(tandem(["1/2"])), tandem(["1/3"])
    assert decision.verdict == "stable" and decision.certified is not None
    with pytest.raises(TypeError):
        Decision(other, "", {}, verdict="stable")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="for another network"):
        dataclasses.replace(decision, network=other)
    with pytest.raises(Rejected):
        dataclasses.replace(decision.certified, text=dumps(other))
    with pytest.raises(Rejected):
        dataclasses.replace(decision.certified, certificate={**decision.certified.certificate, "proofs": []})
    assert Decision(other, "", {}).verdict == "undecided"


def test_words_of_a_bad_file_are_shown_escaped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    quoted = json.dumps(f"v{EVIL}").replace("\x7f", "\\u007f")
    file.write_text(f"[[engine]]\nname = 'a'\n[[type]]\nname = 't'\nrate = 1\n[[type.visit]]\nname = {quoted}\n"
                    f"engine = 'a'\nlength = 1\nafter = [{quoted}]\n", encoding="utf-8")
    status, out, err = run(capsys, str(file))
    assert (status, out) == (2, "") and "a loop without exit" in err
    assert all(line.isprintable() for line in err.split("\n"))


PRETENDING = "B: 1/2 stable"


@pytest.mark.parametrize("work", ["2/3", "1", "5/4"])
def test_names_that_are_no_plain_words_stand_in_quotes(work: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
                                                       ) -> None:
    file = tmp_path / "net.toml"
    visit = Visit("v", PRETENDING, Fraction(work))
    network = AgentNetwork((Engine(PRETENDING), Engine("agent 1")), (RequestType("t", Fraction(1), (
        visit, Visit("A1", "agent 1", Fraction(1, 2)))),))
    file.write_text(dumps(network), encoding="utf-8")
    _, out, _ = run(capsys, str(file))
    assert f"  load of '{PRETENDING}': {work}" in out and "  load of agent 1: 1/2" in out
    assert out.count(PRETENDING) == out.count(f"'{PRETENDING}'") >= 1


@pytest.mark.parametrize("rate", ['"٣"', '"1_0"', '"１/2"', '"3/٤"', '"1e٢"', '"1_0.5"', '"\\t1"', '"1 / 2"'])
def test_texts_of_numbers_have_ascii_digits_alone(rate: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
                                                  ) -> None:
    file = tmp_path / "net.toml"
    text = f"[[engine]]\nname = 'a'\n[[type]]\nname = 't'\nrate = {rate}\n[[type.visit]]\nname = 'v'\nengine = 'a'\n"
    file.write_text(text + "length = 1\n", encoding="utf-8")
    status, out, err = run(capsys, str(file))
    assert (status, out, err.count("\n")) == (2, "", 1) and "net.toml, line 5: " in err and "an exact number" in err
    with pytest.raises(ValueError, match=r"no number|Invalid literal"):
        rereading.Network(text + "length = 1\n")


@pytest.mark.parametrize("beta", ['"٣"', '"1_0"', "true"])
def test_constants_of_times_are_numbers(beta: str) -> None:
    text = ("[[engine]]\nname = 'a'\nbudget = 8\n"
            f"time = {{law = 'affine', constants = {{alpha = 1, beta = {beta}}}}}\n"
            "[[type]]\nname = 't'\nrate = 1\n[[type.visit]]\nname = 'v'\nengine = 'a'\nlength = 1\n")
    with pytest.raises(InputError, match="line 4: engine 'a': the constant beta of its time is no number"):
        parse(text)
    with pytest.raises(ValueError, match="no number"):
        rereading.Network(text)
