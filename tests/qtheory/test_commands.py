"""The commands prove, check, show and verify: what they print, their exit statuses, and one line for bad input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from qtheory.cli import main
from qtheory.commands.output import require_writable
from qtheory.errors import InputError
from qtheory.proofs import corpus, records
from qtheory.proofs.claims import loading
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.papers import Paper
from qtheory.proofs.kernel.statements import Statement


class Run(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", "off")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> Run:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        shown = capsys.readouterr()
        return Run(int(ended.value.code or 0), shown.out, shown.err)

    return call


# ---- prove ----

def test_prove_says_what_by_what_and_how_long(run: Any) -> None:
    status, out, err = run("prove", "-log(1-x) > x", "--where", "0 < x < 1")
    assert status == 0 and err == ""
    assert out.startswith("proved  -log(1-x) > x  for 0 < x < 1   (mean value; ")
    assert "both checkers re-checked" in out


def test_prove_refutes_with_numbers(run: Any) -> None:
    status, out, _ = run("prove", "x**2 > x", "-w", "x > 0")
    assert status == 1
    assert out.startswith("refuted  x**2 > x  for x > 0") and "\n  at x = " in out and "\n  x**2 = " in out


def test_prove_json_is_the_contract(run: Any, tmp_path: Path) -> None:
    status, out, _ = run("prove", "f(x) > 0", "--let", "f(t) = t**2 + 1", "--format", "json", "-o", str(tmp_path / "c"))
    data = json.loads(out)
    assert status == 0 and data["verdict"] == "proved" and data["certificate"] == str(tmp_path / "c")
    assert data["latex"] == "x^{2} + 1 > 0" and data["statement"] == "f(x) > 0  where f(t) = t**2 + 1"


def test_unknown_is_status_3_and_says_the_obstacle(run: Any, tmp_path: Path) -> None:
    status, out, err = run("prove", "Eq(floor(exp(exp(exp(x)))) - floor(exp(exp(exp(x)))), f(x) - f(x) + g(x))", "-w",
                         "f in functions", "-w", "g in functions", "--budget", "0.5", "-o", str(tmp_path / "c"))
    assert status == 3 and out.startswith("unknown  ") and len(out.splitlines()) >= 2
    assert "c is not written: an unknown goal has no certificate" in err
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("arguments, message", [
    (["__import__('os')"], "column 1"), (["x >"], "column 4"), ([], "Missing argument"),
    (["x > 0", "y > 0"], "unexpected"), (["x > 0", "--where", "x < 0", "--where", "x > 1"], "contradict each other"),
    (["x > 0", "--budget", "-1"], "budget"), (["x > 0", "--budget", "soon"], "budget"),
    (["x > 0", "--format", "xml"], "xml"), (["x > 0", "--nope"], "nope"),
    (["x > 0", "--where"], "where"), (["1 > 0", "-o", "/absent/folder/c.json"], "cannot be written"),
    (["\0"], "column 1"),
    (["x" * 1_000_000], "1000000 characters"), (["((" * 3000], "nested too deeply"),
])
def test_bad_goals_are_one_line_and_status_2(run: Any, arguments: list[str], message: str) -> None:
    status, out, err = run("prove", *arguments)
    assert (status, out) == (2, "") and message in err and len(err.splitlines()) == 1 and len(err) < 500


# ---- check ----

@pytest.fixture
def proof(tmp_path: Path) -> Path:
    from qtheory.proofs.api import prove

    certificate = prove("x*y > 0", ["x > 0", "y > 0"]).certificate
    assert certificate is not None
    return certificate.save(tmp_path / "proof.json")


def test_check_prints_the_goal_in_full(run: Any, proof: Path) -> None:
    status, out, err = run("check", str(proof))
    assert (status, err) == (0, "")
    assert out.splitlines()[:3] == ["proved: x*y > 0", "  for x > 0", "  for y > 0"]
    assert "valid for the goal above, by both checkers" in out and "the conditions hold at x = " in out


def test_check_compares_with_the_goal(run: Any, proof: Path) -> None:
    assert run("check", str(proof), "--goal", "x*y > 0", "-w", "x > 0", "-w", "y > 0").status == 0
    for other in (["x*y >= 0", "-w", "x > 0", "-w", "y > 0"], ["x*y > 0", "-w", "x > 0"], ["y*x > 1"]):
        status, out, _ = run("check", str(proof), "--goal", *other)
        assert status == 1 and "rejected: the certificate is for another statement" in out


def test_check_rejects_and_says_at_which_step(run: Any, proof: Path) -> None:
    data = json.loads(proof.read_text())
    data["steps"][0] = ["hyp", 10**6]
    proof.write_text(json.dumps(data))
    status, out, _ = run("check", str(proof), "--format", "json")
    [result] = json.loads(out)["results"]
    assert status == 1 and result["result"] == "rejected" and "node number" in result["why"]


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[" * 100_000, None])
def test_unreadable_is_status_2(run: Any, tmp_path: Path, proof: Path, content: bytes | None) -> None:
    file = tmp_path / "c.json"
    if content is not None:
        file.write_bytes(content)
    status, out, err = run("check", str(proof), str(file))
    assert status == 2 and f"{file}: unreadable: " in out and "valid for" in out and err == ""


@pytest.mark.parametrize("content", ["3", "[]", "{}", '{"schema": 1}', "null", '"text"', '{"statement": {"let": 3}}'])
def test_json_that_is_no_certificate_is_rejected(run: Any, tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    assert run("check", str(tmp_path / "c.json")).status == 1


def test_a_certificate_whose_definitions_blow_up_is_rejected(run: Any, proof: Path) -> None:
    data = json.loads(proof.read_text())
    data["statement"] = {"goal": "a60 > 0", "where": [], "let": [f"a{i + 1} = a{i} + a{i}" for i in range(59)]}
    proof.write_text(json.dumps(data))
    assert run("check", str(proof)).status == 1


@pytest.mark.parametrize("options, message", [
    (["--goal", "x >"], "column 4"), (["-w", "x > 0"], "belong to a goal"),
    (["--id", "a", "--goal", "x > 0"], "either"),
    (["--id", "eb.nope"], "unknown claim 'eb.nope'; nearest"),
])
def test_bad_options_of_check(run: Any, proof: Path, options: list[str], message: str) -> None:
    status, out, err = run("check", str(proof), *options)
    assert (status, out) == (2, "") and message in err and len(err.splitlines()) == 1


def test_the_second_checker_is_asked(run: Any, proof: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "by both checkers" in run("check", str(proof)).out
    import qtheory.proofs.recheck as recheck

    def refuses(data: Any, statement: Any = None) -> None:
        raise ValueError("not like this")

    monkeypatch.setattr(recheck, "check", refuses)
    status, out, _ = run("check", str(proof))
    assert status == 1 and "the second checker disagrees: not like this" in out


def test_check_loads_neither_sympy_nor_numpy(proof: Path) -> None:
    code = ("import sys\nfrom qtheory.cli import main\ntry:\n    main(['check', sys.argv[1]])\n"
            "except SystemExit as end:\n    assert end.code == 0\n"
            "print([m for m in ('sympy', 'numpy', 'scipy', 'flint', 'mpmath') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code, str(proof)], capture_output=True, text=True, check=True,
                          timeout=60)
    assert done.stdout.splitlines()[-1] == "['flint']" and "valid for the goal above" in done.stdout


# ---- show and verify ----

def claim(name: str, goal: str, where: tuple[str, ...] = (), **more: Any) -> Claim:
    return Claim(name, "Section 1", f"quote of {name}", (3, 4), "inequality", Statement(goal, where), **more)


CLAIMS = {c.id: c for c in (
    claim("me.square", "x**2 >= 0"),
    claim("me.strict", "x**2 > 0", severity="edge", corrected_by="me.fixed", note="fails at 0"),
    claim("me.fixed", "x**2 > 0", ("x > 0",), sources={"x > 0": "added"}, corrects="me.strict"),
)}


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for module in (loading, corpus, records):
        monkeypatch.setattr(module, "claims", lambda source=None: CLAIMS)
        monkeypatch.setattr(module, "paper", lambda name: Paper("mine", ()))
    for module in (loading, corpus):
        monkeypatch.setattr(module, "papers", lambda: ())
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.json")
    return tmp_path


def test_show_quotes_judges_and_corrects(run: Any, own: Path) -> None:
    status, out, _ = run("show", "me.strict")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "me.strict  [Section 1, l. 3 to 4]  inequality" and lines[1] == '  "quote of me.strict"'
    assert lines[2] == "  x**2 > 0" and lines[3].startswith("refuted (edge)  (counterexample; ")
    assert "  at x = 0" in lines and "  fails at 0" in lines
    fixed = lines.index("corrected by me.fixed")
    assert lines[fixed + 1:fixed + 3] == ['  in place of "quote of me.fixed"', "  corrects me.strict"]
    assert "    for x > 0   (added)" in lines and lines[-2].startswith("proved  (")
    assert lines[-1] == "  the conditions hold at x = 1"
    assert json.loads(run("show", "me.strict", "--format", "json").out)["corrected_by"] == "me.fixed"


def test_show_names_the_readings_of_an_imprecise_claim(run: Any) -> None:
    status, out, _ = run("show", "eb.table-4.b300")
    assert status == 0 and "imprecise" in out
    assert "  reading eb.table-4.b300.ttft: refuted\n" in out


def test_show_names_the_nearest(run: Any, own: Path) -> None:
    assert run("show", "me.sqare") == (
        2, "", "qtheory: unknown claim 'me.sqare'; nearest: me.square, me.strict, me.fixed\n")


@pytest.mark.slow
def test_verify_compares_with_the_record(run: Any, own: Path) -> None:
    status, out, _ = run("verify", "--jobs", "1")
    assert status == 1 and "me.square: proved, not recorded yet" in out and "3 differences" in out
    assert run("verify", "--jobs", "1", "--update-records").status == 0
    status, out, _ = run("verify", "--jobs", "1", "--strict")
    assert status == 0
    assert "3 claims: 2 proved, 1 refuted" in out and "no verdict differs from the record" in out
    assert "re-checked by both checkers, the kernel of " in out and "trusted in all: " in out
    assert "refuted (edge)" in out


@pytest.mark.slow
def test_verify_fails_on_another_verdict(run: Any, own: Path) -> None:
    run("verify", "--jobs", "1", "--update-records")
    file = own / "records.json"
    file.write_text(file.read_text().replace("refuted", "proved"))
    status, out, err = run("verify", "--jobs", "1", "--format", "json")
    data = json.loads(out)
    assert status == 1 and "me.strict: refuted edge, recorded as proved edge" in err
    assert list(data) == ["schema", "version", "counts", "readings", "claims"]
    assert data["counts"] == {"proved": 2, "refuted": 1}
    assert [c["id"] for c in data["claims"]] == list(CLAIMS)


@pytest.mark.parametrize("arguments, message", [
    (["me.sqare"], "nearest: me.square"), (["absent.py"], "no such file"), (["--jobs", "-2"], "--jobs is -2"),
])
def test_bad_arguments_of_verify(run: Any, own: Path, arguments: list[str], message: str) -> None:
    status, out, err = run("verify", *arguments)
    assert (status, out) == (2, "") and message in err and len(err.splitlines()) == 1


@pytest.mark.slow
def test_verify_writes_certificates_and_check_holds_each_against_its_claim(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    named = ["eb.lem-B.4", "eb.eq-4", "eb.abs.closed-form", "to.thm-1b"]
    status, out, err = run("verify", *named, "--certificates", str(folder), "--format", "json")
    assert status == 0, err
    paths = {c["id"]: c["certificate"] for c in json.loads(out)["claims"]}
    assert paths.pop("eb.abs.closed-form") is None  # replayed: it has no certificate
    assert paths == {name: str(folder / f"{name}.json") for name in named if name != "eb.abs.closed-form"}
    done = subprocess.run([sys.executable, "-m", "qtheory.cli", "check", "--named", *paths.values()],
                          capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0 and done.stdout.count(": valid ") == 3, done.stdout + done.stderr
    swapped = folder / "eb.lem-B.4.json"
    swapped.write_text((folder / "to.thm-1b.json").read_text())
    assert run("check", "--named", str(swapped)).status == 1
    assert run("check", "--named", "--id", "eb.eq-4", str(swapped)).status == 2
    assert run("verify", "eb.eq-4", "--certificates", str(swapped)).err.endswith("File exists\n")


def test_show_writes_the_certificate(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    status, out, _ = run("show", "eb.eq-4", "--format", "json", "-o", str(path))
    assert status == 0 and json.loads(out)["certificate"] == str(path)
    assert run("check", "--id", "eb.eq-4", str(path)).status == 0
    status, _, err = run("show", "eb.sec-3.4.converges", "-o", str(tmp_path / "none.json"))
    assert status == 0 and "has no certificate" in err and not (tmp_path / "none.json").exists()


@pytest.mark.slow
def test_verify_a_file_in_two_processes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from qtheory.proofs.claims.model import Claim\nfrom qtheory.proofs.kernel.statements import Statement\n"
        "CLAIMS = [Claim(f'mine.{n}', 'here', 'q', (1, 1), 'inequality', Statement(f'x**2 + {n} >= 0'))"
        " for n in range(4)]\n")
    done = subprocess.run([sys.executable, "-m", "qtheory.cli", "verify", str(tmp_path / "mine.py"), "--jobs", "2"],
                          capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "4 claims: 4 proved" in done.stdout and [f"mine.{n}" in done.stdout for n in range(4)] == [True] * 4


@pytest.mark.slow
def test_output_that_nobody_reads_is_no_verdict() -> None:
    """A closed pipe ends as a shell reports one, not with the status of a refutation, and without a traceback."""
    asked = [sys.executable, "-m", "qtheory.cli", "prove", "x*x >= 0"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
    assert (process.returncode, told) == (141, "")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_output_that_cannot_be_written_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        asked = [sys.executable, "-m", "qtheory.cli", "prove", "x*x >= 0"]
        done = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                              env={**os.environ, "PYTHONUNBUFFERED": ""})  # it would hide what is tried at the end
    assert (done.returncode, done.stderr) == (2, "qtheory: cannot read or write: No space left on device\n")


def test_help_of_each_command(run: Any) -> None:
    for name in ("prove", "check", "show", "verify"):
        status, out, _ = run(name, "--help")
        assert status == 0 and f"Usage: qtheory {name}" in out and "--format" in out


@pytest.mark.later
def test_a_bar_only_on_a_terminal_and_only_when_it_takes_long(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import rich.progress  # noqa: F401  # which the bar would else wait for

    from qtheory.commands import progress

    monkeypatch.setattr(progress, "DELAY", 0.05)
    for terminal, wait, shown in ((False, 0.2, False), (True, 0.0, False), (True, 0.3, True)):
        monkeypatch.setattr(sys.stderr, "isatty", lambda answer=terminal: answer, raising=False)
        with progress.progress_bar("refereeing") as report:
            report(1, 3)
            time.sleep(wait)
            report(2, 3)
        assert ("refereeing" in capsys.readouterr().err) is shown


@pytest.mark.later
def test_without_a_terminal_lines_are_said_where_they_are_asked_for_ever_more_rarely(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from qtheory import progress
    from qtheory.commands.progress import progress_bar

    monkeypatch.setattr(progress, "DELAY", 0.05)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    for wait in (0.0, 1.0):
        with progress_bar("refereeing", lines=True) as report:
            report(1, 3)
            time.sleep(wait)
        said = capsys.readouterr().err
        assert said.count("\n") == said.count("refereeing: 1 of 3, ")
        assert 0 < said.count("\n") < 8 if wait else not said


def test_a_loop_that_is_compiled_is_said_before_the_bar_would_show(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from qtheory.commands import progress
    from qtheory.simulate.kernel import jit

    before = list(jit.listeners)
    for terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda answer=terminal: answer, raising=False)
        with progress.progress_bar("simulating"):
            for tell in jit.listeners[len(before):]:
                tell("advance of the loop")
        assert ("compiling, once for this version: advance of the loop" in capsys.readouterr().err) is terminal
        assert jit.listeners == before


# Of each command that writes a file: what it takes beside -o.
WRITES = {
    ("prove", "-o"): ["1 > 0"], ("show", "-o"): ["eb.sec-3.2.1.Td"], ("import", "-o"): ["FILE.tex"],
    ("errata", "-o"): ["eb"], ("table", "-o"): ["profiles"], ("macros", "-o"): [], ("plot", "-o"): ["wait-region"],
    ("reproduce", "-o"): ["eb-tab-10"], ("plan", "-o"): ["two-classes"], ("plan", "--certificate"): ["two-classes"],
    ("network", "-o"): ["rybko-stolyar-agents"], ("workflow", "-o"): ["react-agent"],
    ("capacity", "-o"): ["--profile", "a100-40gb-qwen-8b", "--workload", "eb-sharegpt"],
    ("simulate", "--records"): ["policy-sarathi"], ("simulate", "--chrome-trace"): ["policy-sarathi"],
    ("simulate", "--gantt"): ["policy-sarathi"], ("profile fit", "-o"): ["FILE.csv"],
    ("profile fit", "--plot"): ["FILE.csv"], ("profile quality", "--plot"): ["FILE.csv"],
}
FOLDERS = {("report", "-o"), ("verify", "--certificates"), ("simulate", "-o"), ("profile measure", "-o")}


def test_each_option_that_writes_is_known_here() -> None:
    import typer.main

    from qtheory.cli import COMMANDS, build_app

    def found(command: Any, name: str) -> Any:
        for key, one in getattr(command, "commands", {}).items():
            yield from found(one, f"{name} {key}".strip())
        for p in command.params:
            yield from ((name, option) for option in p.opts if option in written)

    written = {option for _, option in (*WRITES, *FOLDERS)}
    every = {one for name in COMMANDS for one in found(typer.main.get_command(build_app(name)), "")}
    assert every == {*WRITES, *FOLDERS}


@pytest.mark.parametrize("command", ["simulate", "network", "workflow", "plan"])
def test_each_property_of_a_schema_is_described(run: Any, command: str) -> None:
    """In a sentence, and none is a parameter whose meaning stands nowhere."""
    def properties(node: Any, place: str) -> Any:
        if isinstance(node, dict):
            for key, one in node.get("properties", {}).items():
                yield f"{place}/{key}", one
            node = list(node.items())
        for key, one in node if isinstance(node, list) else ():
            yield from properties(one, f"{place}/{key}")

    def listed(node: Any) -> Any:  # a list as (place, value), as a table is
        if isinstance(node, dict):
            return {k: listed(v) for k, v in node.items()}
        return [(i, listed(v)) for i, v in enumerate(node)] if isinstance(node, list) else node

    found = dict(properties(listed(json.loads(run(command, "--schema").out)), ""))
    assert len(found) > 20
    for place, one in found.items():
        text = one.get("description", "")
        assert text.endswith(".") and len(text) > 8 and "The parameter" not in text, place


@pytest.mark.parametrize(("command", "option"), WRITES)
def test_what_is_no_file_is_refused_before_the_work(run: Any, tmp_path: Path, command: str, option: str) -> None:
    """A device, a pipe and a folder, each also behind a link: one line, and nothing is written into them."""
    drawn = option in ("--gantt", "--plot") or command == "plot"
    of_command = {"errata": ".tex", "table": ".md"}.get(command, ".png" if drawn else ".json")
    ending = {"--records": ".csv", "--chrome-trace": ".json"}.get(option, of_command)
    (tmp_path / "FILE.csv").write_text("tokens,seconds\n1,0.1\n2,0.2\n3,0.31\n4,0.4\n")
    (tmp_path / "FILE.tex").write_text("\\begin{theorem} $x = x$ \\end{theorem}\n")
    arguments = [str(tmp_path / a) if a.startswith("FILE") else a for a in WRITES[command, option]]
    os.mkfifo(tmp_path / f"pipe{ending}")
    (tmp_path / f"folder{ending}").mkdir()
    (tmp_path / f"device{ending}").symlink_to("/dev/null")
    (tmp_path / f"linked{ending}").symlink_to(tmp_path / f"pipe{ending}")
    before = sorted(p.name for p in tmp_path.iterdir())
    for name, why in (("pipe", "a device or a pipe"), ("device", "a device or a pipe"),
                      ("linked", "a device or a pipe"), ("folder", "a folder")):
        status, _, err = run(*command.split(), *arguments, option, str(tmp_path / f"{name}{ending}"))
        assert status == 2 and f"cannot be written: it is {why}" in err.splitlines()[-1], (name, err)
        assert ("is a link: " in err) is (tmp_path / f"{name}{ending}").is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_a_read_only_file_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text("kept")
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != kept and allowed(path, mode))  # root may all
    with pytest.raises(InputError, match=r"kept\.json: cannot be written: the file is read-only"):
        require_writable(kept)
    assert require_writable(tmp_path / "new.json") is None


def test_files_in_a_folder_keep_their_modes_and_links_stay_links(tmp_path: Path) -> None:
    from qtheory.simulate.keeping import put

    (tmp_path / "there.csv").write_text("old")
    (tmp_path / "there.csv").chmod(0o600)
    (tmp_path / "link.csv").symlink_to(tmp_path / "there.csv")
    put(tmp_path / "link.csv", b"new")
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "there.csv").read_text() == "new"
    assert (tmp_path / "there.csv").stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csv", "there.csv"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_few_characters_gets_the_others_spelled_out(
    encoding: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    with pytest.raises(SystemExit) as ended:
        main(["profile", "show", "a100-80gb-llama3-70b-tp2"])
    sys.stdout.flush()
    assert (ended.value.code, capfd.readouterr().err) == (0, "") and b"0.985 (Figure 4)" in raw.getvalue()
    if encoding == "latin-1":
        assert b"\\u201c" in raw.getvalue()


def test_printing_to_an_ascii_stream_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    with pytest.raises(SystemExit):
        main(["simulate", "--list"])
    print("α")
    sys.stdout.flush()
    assert raw.getvalue().endswith(b"\\u03b1\n")


# ---- simulate ----

EVIL = "\x1b[2J\nstable\u202e\u2066\x7f"
SCENARIO = """title = %s
horizon = 500.0
replications = 5
[[station]]
name = %s
[[class]]
name = %s
station = %s
service = {law = "exponential", mean = 0.5}
arrivals = {law = "poisson-process", rate = 1.0}
"""


def test_words_of_a_scenario_cannot_pretend(run: Any, tmp_path: Path) -> None:
    quoted = json.dumps(EVIL).replace("\x7f", "\\u007f")
    (tmp_path / "s.toml").write_text(SCENARIO % ((quoted,) * 4), encoding="utf-8")
    status, out, err = run("simulate", str(tmp_path / "s.toml"))
    assert status == 0 and r"\x1b[2J stable\u202e\u2066\x7f: 5 replications" in out, err
    assert all(line.isprintable() and not line.startswith("stable") for line in out.split("\n"))


def test_what_a_scenario_says_is_shown_in_its_line(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from qtheory.commands.simulate import _print

    _print({"title": EVIL, "replications": 5, "horizon": 1.0, "seed": 0, "confidence": 0.9, "settings": {EVIL: EVIL},
            "claim": EVIL, "claims": [{"verdict": "seen", "says": EVIL, "numbers": EVIL}], "variants": [
                {"variant": EVIL, "sample": EVIL, "measures": {EVIL: {"low": None, "estimate": 1.0}}, "stability": {
                    "growth": (0, 0, 0), "verdict": "unstable", "error_rate": 0.1, "remark": EVIL}}]})
    out = capsys.readouterr().out
    assert all(line.isprintable() and not line.startswith("stable") for line in out.split("\n"))
    assert out.count(r"\x1b[2J") == 10


@pytest.mark.parametrize(("line", "protocol", "told"), [
    ("qtheory ver", "bash", "verify"), ("qtheory simulate --perc", "bash", "--percentiles"),
    ("qtheory prove --b", "zsh", "--budget"), ("qtheory prove --b", "fish", "--budget"),
])
def test_a_shell_is_told_what_can_stand_next(
    line: str, protocol: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"_QTHEORY_COMPLETE": f"complete_{protocol}", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")),
             "_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main([])
    out, err = capsys.readouterr()
    assert not ended.value.code and told in out and not err
